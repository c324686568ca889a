import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { proofboardHere } from '#lib/testing/factories/command-here.ts'
import { slot, writeEchoAgent } from '#lib/testing/factories/echo-agent.ts'
import { PLANTED_SECRETS } from './planted-secrets.fixture.ts'

let root: string
beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'proofboard-secrets-'))
})
afterAll(() => rmSync(root, { recursive: true, force: true }))

function filesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
}

it('leaves no planted secret in a log or a diff', async () => {
  const planted = join(root, 'planted.txt')
  const text = PLANTED_SECRETS.map(([, line]) => line).join('\n')
  writeFileSync(planted, `${text}\n`)
  chmodSync(root, 0o755)
  const out = join(root, 'run')
  const agent = `cat ${planted}; cat ${planted} >&2; cp ${planted} notes.txt`
  const args = ['run', '--suite', 'typescript', '--tasks', 'lru-cache', '--command', agent]
  args.push('--isolation', 'local')
  const ended = await proofboardHere(join(root, 'data'), [...args, '--out', out, '--json'])
  expect(ended.code, ended.stderr).toBe(0)
  const files = filesBelow(join(out, 'episodes'))
  expect(files.map((file) => file.split('/').at(-1))).toEqual(
    expect.arrayContaining(['subject.log', 'workspace.diff', 'episode.json']),
  )
  const kept = files.map((file) => [file, readFileSync(file, 'utf8')] as const)
  const found = PLANTED_SECRETS.flatMap(([kind, , secret]) =>
    kept.filter(([, content]) => content.includes(secret)).map(([file]) => `${kind} in ${file}`),
  )
  expect(found).toEqual([])
  expect(new Set(PLANTED_SECRETS.map(([kind]) => kind)).size).toBeGreaterThanOrEqual(25)
  const [, log = ''] = kept.find(([file]) => file.endsWith('subject.log')) ?? []
  // Printed twice; an unterminated private key hides the lines after it.
  expect(log.match(/\[redacted:/g)?.length).toBeGreaterThanOrEqual(50)
})

it('leaves no trace of the key that an unmetered agent has to be given, whatever it looks like', async () => {
  const key = 'correct horse battery staple'
  const definition = join(root, 'echo.yaml')
  writeFileSync(
    definition,
    writeEchoAgent(root, {
      metering: { none: 'it cannot be pointed elsewhere' },
      protocols: {},
      preferred: null,
      providers: { echo: { protocol: null, keys: ['ECHO_KEY'] } },
      env: { ECHO_KEY: slot('key') },
    }),
  )
  const out = join(root, 'keyed')
  const args = ['run', '--suite', 'typescript', '--tasks', 'lru-cache', '--agent-file', definition]
  const more = ['--model', 'any', '--isolation', 'local', '--out', out, '--json']
  const ended = await proofboardHere(join(root, 'data'), [...args, ...more], { ECHO_KEY: key })
  expect(ended.code, ended.stderr).toBe(0)
  const kept = filesBelow(join(out, 'episodes')).map((file) => readFileSync(file, 'utf8'))
  expect(kept.filter((content) => content.includes(key))).toEqual([])
  expect(kept.some((content) => content.includes('my key is [redacted:run-key]'))).toBe(true)
})
