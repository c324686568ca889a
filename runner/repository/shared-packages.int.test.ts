// @module-tag bubblewrap
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { bubblewrap } from '../sandbox/isolation/bubblewrap.ts'
import { readRepositoryTask } from '../suites/read-repository-task.ts'
import type { LoadedRepository } from '../suites/repository-folder.ts'
import { type BaseSettings, type PreparedBase, prepareBase } from './prepare-base.ts'
import { runVerify } from './verify-run.ts'

const root = mkdtempSync(join(tmpdir(), 'proofboard-test-'))
afterAll(() => rmSync(root, { recursive: true, force: true }))

const SETUP =
  'for n in 1 2 3 4 5 6 7 8 9 10 11; do mkdir -p node_modules/large/$n; echo $n > node_modules/large/$n/n.js; done'
/** Each line of the report is one test of what a run can do with a package. */
const JUDGE = `t() { if eval "$2"; then echo "ok $n - $1"; else echo "not ok $n - $1"; fi; n=$((n + 1)); }
n=1
t reads '[ "$(cat node_modules/large/11/n.js)" = "11" ]'
t changes '(echo changed > node_modules/large/1/n.js) 2>/dev/null'
t adds '(echo more > node_modules/large/more.js) 2>/dev/null'
t caches 'mkdir -p node_modules/.cache && [ ! -e node_modules/.cache/c ] && echo c > node_modules/.cache/c'
t fresh '[ ! -e left.txt ] && echo left > left.txt'
echo 1..5
`
const FILES: Record<string, string> = {
  'suite.json': JSON.stringify({
    suiteId: 'shared',
    kind: 'repository',
    title: 'shared',
    description: '',
    version: '1',
  }),
  'task/task.yaml': `id: task
title: Reads a package
category: bug
difficulty: easy
instruction: Read a package.
source: { folder: repo }
setup: ["${SETUP}"]
verify: { command: sh judge.sh, report: { format: tap }, timeout: 60 }
`,
  'task/repo/README.md': 'Reads.\n',
  'task/tests/judge.sh': JUDGE,
  'task/solution/README.md': 'Solved.\n',
}

let task: LoadedRepository
let base: PreparedBase
let settings: BaseSettings
beforeAll(async () => {
  for (const [path, text] of Object.entries(FILES)) {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), text)
  }
  const temporary = join(root, 'tmp')
  mkdirSync(temporary)
  settings = {
    isolation: bubblewrap,
    temporary,
    cache: join(root, 'cache'),
    runMark: 'proofboard-test',
    signal: new AbortController().signal,
  }
  task = await readRepositoryTask(join(root, 'task'))
  base = await prepareBase(task, settings)
})

async function passed(
  sharesPackages: boolean,
  changes: Parameters<typeof runVerify>[2]['changes'] = [],
): Promise<string[]> {
  const run = await runVerify(
    task,
    base,
    { changes, tests: task.tests },
    { ...settings, sharesPackages },
  )
  if (!run.report.ok) throw new Error(run.log)
  return run.report.value.flatMap(({ name, status }) => (status === 'passed' ? [name] : []))
}

const lastWords = (names: readonly string[]) => names.map((name) => name.split(' ').at(-1))

it('lets a trusted run read a package that it cannot change, beside a cache of its own', async () => {
  for (let again = 0; again < 2; again++)
    expect(lastWords(await passed(true))).toEqual(['reads', 'caches', 'fresh'])
  expect(readdirSync(settings.temporary)).toEqual([])
  // Still what it was sealed as.
  expect((await prepareBase(task, settings)).digest).toBe(base.digest)
})

it('gives every other run packages of its own', async () => {
  const all = ['reads', 'changes', 'adds', 'caches', 'fresh']
  expect(lastWords(await passed(false))).toEqual(all)
  expect((await prepareBase(task, settings)).digest).toBe(base.digest)
})

it('copies a package that a trusted change rewrites', async () => {
  const bytes = Buffer.from('other\n')
  const changes = [{ path: 'node_modules/large/11/n.js', bytes, executable: false }]
  expect(lastWords(await passed(true, changes))).toEqual(['changes', 'adds', 'caches', 'fresh'])
})

it('a set-up starts from the installed packages of a base with the same packages', async () => {
  const grow = [
    'echo again >> node_modules/large/1/n.js',
    'cat node_modules/large/1/n.js > seen.txt',
  ]
  const yaml = (FILES['task/task.yaml'] as string).replace(
    /setup: .*/,
    `setup: ${JSON.stringify(grow)}`,
  )
  for (const [path, text] of Object.entries({ ...FILES, 'task/task.yaml': yaml })) {
    mkdirSync(dirname(join(root, 'seeded', path)), { recursive: true })
    writeFileSync(join(root, 'seeded', path), text)
  }
  const seeded = await readRepositoryTask(join(root, 'seeded', 'task'))
  const { folder } = await prepareBase(seeded, { ...settings, seed: base })
  expect(readFileSync(join(folder, 'seen.txt'), 'utf8')).toBe('1\nagain\n')
  expect((await prepareBase(task, settings)).digest).toBe(base.digest)
})
