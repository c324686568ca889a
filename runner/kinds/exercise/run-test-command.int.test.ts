// @module-tag bubblewrap
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { MAX_TEST_OUTPUT, parseBundle } from '#lib/domain/record/index.ts'
import { proofboardHere } from '#lib/testing/factories/command-here.ts'

const root = mkdtempSync(join(tmpdir(), 'proofboard-test-'))
afterAll(() => rmSync(root, { recursive: true, force: true }))

const proofboard = (...args: string[]) => proofboardHere(join(root, 'data'), args)

/** A suite of one shipped exercise with this test command. */
function writeSuite(name: string, testCommand: unknown): string {
  const folder = join(root, name)
  const shipped = join('exercises', 'typescript')
  cpSync(join(shipped, 'lru-cache'), join(folder, 'lru-cache'), { recursive: true })
  cpSync(join(shipped, 'tsconfig.json'), join(folder, 'tsconfig.json'))
  const about = { suiteId: name, kind: 'exercise', title: name, description: '', version: '1' }
  writeFileSync(join(folder, 'suite.json'), JSON.stringify(about))
  const path = join(folder, 'lru-cache', '.meta', 'config.json')
  const config = JSON.parse(readFileSync(path, 'utf8'))
  Object.assign(config.custom.proofboard, { testCommand })
  writeFileSync(path, JSON.stringify(config))
  return folder
}

async function attempt(name: string, testCommand: string, subject: string) {
  const suite = writeSuite(name, testCommand)
  const out = join(root, `${name}-${subject}`)
  const { stderr } = await proofboard('run', '--suite', suite, '--subject', subject, '--out', out)
  const parsed = parseBundle(JSON.parse(readFileSync(join(out, 'result.json'), 'utf8')))
  if (!parsed.ok) throw new Error(`${stderr}${JSON.stringify(parsed.problems.slice(0, 3))}`)
  const [episode] = parsed.value.episodes
  if (episode?.schemaVersion !== 1) throw new Error('no episode')
  return episode
}

it('runs over the solution and the task’s own tests, in a sandbox, and decides nothing', async () => {
  const fails =
    'ls; cat lru-cache.ts | head -c 40; getent hosts example.org || echo offline; exit 3'
  const solved = await attempt('fails', fails, 'reference')
  expect(solved.testCommand).toMatchObject({ command: fails, notRun: null, exitCode: 3 })
  expect(solved.testCommand?.output).toContain('lru-cache.test.ts')
  expect(solved.testCommand?.output).toContain('offline')
  expect(solved).toMatchObject({ outcome: { status: 'solved' }, testSuccess: true })

  const unsolved = await attempt('passes', 'true', 'nop')
  expect(unsolved.testCommand).toMatchObject({ exitCode: 0, output: '' })
  expect(unsolved).toMatchObject({ outcome: { status: 'unsolved' }, testSuccess: false })
})

it('limits hostile output and time', async () => {
  const script = `head -c 9000000 /dev/zero; printf 'AKIAIOSFODNN7EXAMPLE \\033[2J end'`
  const { testCommand } = await attempt('floods', script, 'nop')
  expect(testCommand?.output).toHaveLength(MAX_TEST_OUTPUT)
  expect(testCommand?.output).not.toContain('\0')
  // A busy machine can reach the time limit before all of it is read.
  expect(testCommand?.droppedChars).toBeGreaterThan(0)
})

it('is refused in one sentence where it is not a command', async () => {
  const { code, stderr } = await proofboard(
    'run',
    '--suite',
    writeSuite('bad', ['npm', 'test']),
    '--subject',
    'nop',
  )
  expect(code).not.toBe(0)
  expect(stderr).toMatch(/testCommand/)
})
