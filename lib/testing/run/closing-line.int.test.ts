import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { runCommand } from '#lib/setup/process.mjs'
import { NO_TESTS, skipAll, summarise, type Tally } from './closing-line.mjs'

let root: string
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'proofboard-test-'))
  symlinkSync(resolve('node_modules'), join(root, 'node_modules'))
  const reporter = JSON.stringify(resolve('lib/testing/run/closing-line.mjs'))
  const tags = `[{ name: 'moon', skip: true, meta: { lacks: 'a moon' } }]`
  writeFileSync(
    join(root, 'vitest.config.mjs'),
    `import { ClosingLine } from ${reporter}
export default { test: { retry: 1, tags: ${tags}, reporters: [new ClosingLine()] } }`,
  )
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

/** Runs vitest on one file with the reporter; returns its exit code, and what the reporter counted. */
async function runFile(text: string, more: readonly string[] = []) {
  const head = `import { beforeAll, expect, it } from 'vitest'\n`
  writeFileSync(join(root, 'a.test.mjs'), head + text)
  const folder = join(root, 'tally')
  mkdirSync(folder)
  const command = [resolve('node_modules/vitest/vitest.mjs'), 'run', '--root', root, ...more]
  const env = { PROOFBOARD_TEST_FOLDER: folder, PROOFBOARD_TEST_NIGHT: undefined }
  const { code } = await runCommand(process.execPath, command, { cwd: root, env })
  return { code, ...(JSON.parse(readFileSync(join(folder, 'tally.json'), 'utf8')) as Tally) }
}

it('counts what passed and what was skipped by reason, and names a test that passed only on retry', async () => {
  const ran = await runFile(`let tries = 0
it('a', () => {})
it('b', { tags: 'moon' }, () => {})
it('c', () => expect(++tries).toBe(2))`)
  const flaky = ['a.test.mjs > c']
  expect(ran).toEqual({ code: 0, passed: 2, failed: [], flaky, lacks: { 'a moon': 1 } })
})

it.each([
  ['that fails', `it('a', () => expect(1).toBe(2))`, 'a.test.mjs > a'],
  ['that is skipped without a reason', `it.skip('a', () => {})`, 'a.test.mjs > a: skipped without'],
  ['below a hook that fails', `beforeAll(() => { throw 1 }); it('a', () => {})`, 'a.test.mjs'],
  ['of a file that cannot be loaded', `throw new Error('no')`, 'a.test.mjs'],
  ['whose process ends', `it('a', () => process.kill(process.pid, 'SIGKILL'))`, 'a.test.mjs'],
])('is red for a test %s', async (_, text, named) => {
  const { code, passed, failed } = await runFile(text)
  expect([code, passed]).toEqual([1, 0])
  expect(failed[0]).toContain(named)
})

it('asks no reason of tests that were not chosen', async () => {
  const ran = await runFile(`it('a', () => {}); it('b', () => {})`, ['-t', 'a'])
  expect(ran).toMatchObject({ code: 0, passed: 1, failed: [] })
})

const TALLY: Tally = { passed: 3, failed: [], flaky: [], lacks: {} }

it('ends with the line that machines read', () => {
  const { lines, isRed } = summarise([TALLY, { ...TALLY, failed: ['x'] }])
  expect(lines).toEqual(['FAILED x', '6 passed, 1 failed'])
  expect(isRed).toBe(true)
})

it('says why tests were skipped, the most frequent reason first', () => {
  const tallies = [{ ...TALLY, lacks: { night: 1, bubblewrap: 2 } }, TALLY, skipAll('bubblewrap')]
  expect(summarise(tallies).lines).toEqual([
    '6 passed, 0 failed, 4 skipped: 3 need bubblewrap, 1 needs night',
  ])
})

it('is red for a flaky test at night only, and for a run without tests', () => {
  const flaky = [{ ...TALLY, flaky: ['x'] }]
  expect(summarise(flaky, false).lines[0]).toBe('FLAKY, passed only on retry: x')
  expect([flaky, [NO_TESTS]].map((one) => summarise(one, false).isRed)).toEqual([false, true])
  expect(summarise(flaky, true).isRed).toBe(true)
})

it('names twenty failed tests, and says how many more there are', () => {
  const failed = Array.from({ length: 23 }, (_, at) => `test ${at}`)
  const { lines } = summarise([{ ...TALLY, failed }])
  expect(lines.slice(20)).toEqual(['and 3 more', '3 passed, 23 failed'])
})
