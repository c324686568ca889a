import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { proofboardHere } from '#lib/testing/factories/command-here.ts'
import { lastJson } from '#lib/testing/factories/proofboard-command.ts'
import { serveGit } from '#lib/testing/factories/serve-git.ts'

const root = mkdtempSync(join(tmpdir(), 'proofboard-test-'))
const server = createServer((request, response) => serveGit(root, request, response))
let track: string

beforeAll(async () => {
  writeTrack(join(root, 'work'))
  const who = ['-c', 'user.name=t', '-c', 'user.email=t@example.org']
  const git = (...args: string[]) => execFileSync('git', [...who, '-C', root, ...args])
  git('init', '-q', 'work')
  git('-C', 'work', 'add', '-A')
  git('-C', 'work', 'commit', '-qm', 'the track')
  git('clone', '-q', '--bare', 'work', 'track.git')
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  track = `http://127.0.0.1:${(server.address() as AddressInfo).port}/track.git`
})
afterAll(() => {
  server.close()
  rmSync(root, { recursive: true, force: true })
})

/** One exercise that ts-bench runs by default, with a trivial task. */
function writeTrack(folder: string): void {
  const files = {
    solution: ['acronym.ts'],
    test: ['acronym.test.ts'],
    example: ['.meta/proof.ci.ts'],
  }
  const content = {
    '.docs/instructions.md': 'Double it.',
    'acronym.ts': "export function solve(n: number): number { throw new Error('' + n) }\n",
    'acronym.test.ts':
      "import { it, expect, xit } from '@jest/globals'\nimport { solve } from './acronym.ts'\nit('a', () => { expect(solve(1)).toEqual(2) })\nxit('b', () => { expect(solve(2)).toEqual(4) })\n",
    '.meta/proof.ci.ts': 'export function solve(n: number): number { return n * 2 }\n',
    '.meta/config.json': JSON.stringify({ files }),
    'package.json': '{"type":"module"}',
  }
  for (const [path, text] of Object.entries(content)) {
    const target = join(folder, 'exercises', 'practice', 'acronym', path)
    mkdirSync(dirname(target), { recursive: true })
    writeFileSync(target, text)
  }
}

const run = (data: string, from: string, ...more: string[]) =>
  proofboardHere(join(root, data), ['run', '--dataset', 'exercism', ...more], {
    PROOFBOARD_TRACK: from,
  })

it('fetches and imports the exercises by itself, once', async () => {
  const args = ['--subject', 'reference', '--json']
  const first = await run('data', track, ...args)
  expect([first.code, first.stderr]).toEqual([0, expect.stringContaining('imported 1 exercise to')])
  expect(lastJson(first.stdout)).toMatchObject({ planned: 1, solved: 1 })
  // The second run reads what is there, so no repository is needed.
  const again = await run('data', 'http://127.0.0.1:1/gone.git', ...args)
  expect([again.code, again.stderr.includes('importing')]).toEqual([0, false])
})

it('says in one sentence what to do without network, and leaves nothing behind', async () => {
  const { code, stderr } = await run('offline', 'http://127.0.0.1:1/track.git', '--subject', 'nop')
  expect(code).not.toBe(0)
  expect(stderr).toMatch(
    /cannot get HEAD of http:\/\/127\.0\.0\.1:1\/track\.git: .*Check the network, or import a copy: npx proofboard suite import exercism --from/,
  )
})
