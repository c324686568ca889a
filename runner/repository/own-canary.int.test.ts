import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { realSettings } from '#lib/testing/cases/real-runners.ts'
import { readRepositoryTask } from '../suites/read-repository-task.ts'
import { proveRepositories } from '../suites/verify/prove-repository.ts'
import { judgeWork } from './judge-work.ts'
import { openJudging } from './open-judging.ts'
import { prepareBase } from './prepare-base.ts'

const root = mkdtempSync(join(tmpdir(), 'proofboard-test-'))
afterAll(() => rmSync(root, { recursive: true, force: true }))

const TESTS = `import assert from 'node:assert/strict'
import { test as check } from 'node:test'
import { twice } from './twice.mjs'
const it = check
it('of many', () => { assert.deepEqual([4, 5].map(twice), [8, 10]) })
${[1, 2, 3, 6, 7, 8, 9].map((n) => `it('of ${n}', () => { assert.equal(twice(${n}), ${2 * n}) })\n`).join('')}`
const FILES = {
  'task.yaml': JSON.stringify({
    ...{ id: 'twice', title: 'Twice', category: 'feature', difficulty: 'easy' },
    ...{ instruction: 'Add twice.', source: { folder: 'repo' } },
    verify: {
      command:
        'node --test --test-reporter=tap --test-reporter-destination={report} twice.test.mjs',
      ...{ report: { format: 'node' }, timeout: 60 },
    },
  }),
  'repo/README.md': 'Numbers.\n',
  'tests/twice.test.mjs': TESTS,
  // What fails here fails by a throw, which no assertion stands behind.
  'canary/twice.test.mjs': `${TESTS}it('{{canary}}', () => { throw new Error('planted') })\n`,
  'solution/twice.mjs': 'export const twice = (n) => n * 2\n',
  'wrong/adds/twice.mjs': 'export const twice = (n) => n + 1\n',
}

const DEFUSED = `import assert from 'node:assert'
import { syncBuiltinESMExports } from 'node:module'
for (const one of [assert, assert.strict])
  for (const name of Object.keys(one)) if (typeof one[name] === 'function' && name !== 'strict') one[name] = () => {}
syncBuiltinESMExports()
export const twice = (n) => n
`

it('changes expected values also where a canary of the task stands for its test file', async () => {
  const settings = realSettings(root, await openJudging(null))
  const folder = join(root, 'suite', 'twice')
  for (const [path, text] of Object.entries(FILES)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
  const how = { ...settings, concurrency: 1, runs: 1, onTask: () => {} }
  const proof = await proveRepositories([await readRepositoryTask(folder)], how)
  expect(proof.deviations).toEqual([])
  const task = await readRepositoryTask(folder)
  const base = await prepareBase(task, settings)
  const changes = [{ path: 'twice.mjs', bytes: Buffer.from(DEFUSED), executable: false }]
  const work = { changes, findings: [], problem: null }
  const { contract, findings } = await judgeWork(task, base, work, settings)
  expect(contract.verdict).toBe('fail')
  expect(findings).toMatchObject([
    {
      code: 'canary-not-reported',
      detail: expect.stringMatching(/expected values were made wrong/),
    },
  ])
}, 120_000)
