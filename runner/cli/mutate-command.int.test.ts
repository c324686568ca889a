import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { z } from 'zod'
import { suiteSchema } from '#lib/domain/tasks/suite.ts'
import { lastJson, startProofboard } from '#lib/testing/factories/proofboard-command.ts'

const REFERENCE = `export function isAdult(age: number): boolean {
  if (age < 0) throw new RangeError('an age is not negative')
  return age >= 18
}
`
/** Nothing asks for the boundary of 18 nor for an age of 0. */
const TESTS = `import { expect, it } from '@jest/globals'
import { isAdult } from './adult.ts'
it('distinguishes adults from children', () => {
  expect(isAdult(30)).toBe(true)
  expect(isAdult(5)).toBe(false)
})
it('refuses negative ages', () => {
  expect(() => isAdult(-7)).toThrow(RangeError)
})
`
const CONFIG = {
  files: { solution: ['adult.ts'], test: ['adult.test.ts'], example: ['.meta/reference.ts'] },
}
const SUITE = { suiteId: 'mine', kind: 'exercise', title: 'Mine', description: '', version: '1' }

let root: string
let suite: string
const keptFile = () => join(suite, 'adult/.meta/mutation.json')

function plant(path: string, content: unknown): void {
  const target = join(suite, path)
  mkdirSync(dirname(target), { recursive: true })
  writeFileSync(target, typeof content === 'string' ? content : JSON.stringify(content))
}

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'proofboard-test-'))
  suite = join(root, 'mine')
  plant('suite.json', SUITE)
  plant('adult/.docs/instructions.md', '# Adult')
  plant('adult/adult.ts', 'export function isAdult(_age: number): boolean { throw new Error() }\n')
  plant('adult/adult.test.ts', TESTS)
  plant('adult/.meta/reference.ts', REFERENCE)
  plant('adult/.meta/wrong/never.ts', REFERENCE.replace('age >= 18', 'false'))
  plant('adult/.meta/wrong/boundary.ts', REFERENCE.replace('>= 18', '> 18'))
  plant('adult/.meta/config.json', CONFIG)
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

const proofboard = (...args: string[]) => startProofboard(join(root, 'data'), args).ended
const showSuite = async () =>
  suiteSchema.parse(lastJson((await proofboard('suite', 'show', suite, '--json')).stdout).suite)

const survivorSchema = z.object({ line: z.number(), before: z.string(), after: z.string() })
const answerSchema = z.looseObject({
  mutants: z.number(),
  compiled: z.number(),
  durationMs: z.number().positive(),
  tasks: z.array(z.looseObject({ taskId: z.string(), survivors: z.array(survivorSchema) })),
})

it('counts surviving mutants, stores the counts, and reports them as stale once the tests change', async () => {
  await proofboard('suite', 'lock', suite)
  const before = await showSuite()
  expect(before.tasks[0]).not.toHaveProperty('mutation')

  const told = await proofboard('suite', 'mutate', suite, '--json', '--write')
  expect(told.code).toBe(0)
  const { durationMs: _, tasks, ...total } = answerSchema.parse(lastJson(told.stdout))
  expect(
    tasks[0]?.survivors.map(({ line, before, after }) => `${line}: ${before} → ${after}`),
  ).toEqual([
    ...['2: < → <=', '2: 0 → 1', '2: 0 → (-1)'],
    ...['3: >= → >', '3: 18 → 19', '3: 18 → 17'],
  ])
  const { mutants, compiled } = total
  expect(compiled).toBeLessThan(mutants)
  const figures = {
    ...{ mutants, compiled, caughtByVisible: compiled - 6, caughtByHeldOut: null },
    ...{ surviving: 6, wrong: 2, wrongCaught: 1 },
  }
  const survivingShare = 6 / compiled
  expect(total).toEqual({ suiteId: 'mine', ...figures, caughtByHeldOutOnly: null, survivingShare })

  const after = await showSuite()
  expect(after.digest).toBe(before.digest)
  expect(after.tasks[0]).toHaveProperty('mutation', { ...figures, isStale: false })

  const kept = readFileSync(keptFile(), 'utf8')
  const again = await proofboard('suite', 'mutate', suite, '--stale', '--write', '--json')
  expect(lastJson(again.stdout)).toMatchObject({ tasks: [], mutants: 0, survivingShare: null })
  expect(readFileSync(keptFile(), 'utf8')).toBe(kept)

  plant('adult/adult.test.ts', TESTS.replace('isAdult(30)', 'isAdult(18)'))
  expect((await showSuite()).tasks[0]).toHaveProperty('mutation', { ...figures, isStale: true })
}, 180_000)

it('plays the held-out scenario as well, and reports what it alone catches', async () => {
  plant(
    'adult/.meta/held-out.ts',
    `import type { Scenario } from '../../held-out.ts'
import { isAdult } from '../adult.ts'
export const scenario: Scenario = ({ random, attempt }) => {
  for (const age of [0, 17, 18, random.int(0, 99)]) attempt(\`\${age}\`, () => isAdult(age))
}
`,
  )
  const told = await proofboard('suite', 'mutate', suite, '--json', '--write')
  const { tasks } = answerSchema.parse(lastJson(told.stdout))
  expect(tasks[0]).toMatchObject({ survivors: [{ line: 2, before: '0', after: '(-1)' }] })
  expect(lastJson(told.stdout)).toMatchObject({
    caughtByHeldOutOnly: 5,
    surviving: 1,
    wrongCaught: 2,
  })
  const [adult] = (await showSuite()).tasks
  expect(adult).toMatchObject({ mutation: { isStale: false, surviving: 1, wrongCaught: 2 } })
}, 180_000)

it('writes nothing unless asked to, and refuses what cannot be measured in one line', async () => {
  const told = await proofboard('suite', 'mutate', suite, '--tasks', 'adult')
  expect(told.stdout).toMatch(
    /^mine: \d+ mutants, \d+ compile, \d+ caught by visible tests, 6 survive/,
  )
  expect(existsSync(keptFile())).toBe(false)

  plant('adult/.meta/reference.ts', REFERENCE.replace('>= 18', '>= 80'))
  const unsolved = await proofboard('suite', 'mutate', suite, '--write')
  expect(unsolved.stderr.trim()).toBe('task adult cannot be mutated: its reference is not solved')
  const browser = await proofboard('suite', 'mutate', 'browser')
  expect(browser.stderr.trim()).toBe(
    'browser is a browser suite: only references of exercises can be mutated',
  )
  expect([unsolved.code, browser.code]).toEqual([2, 2])
  expect(existsSync(keptFile())).toBe(false)
}, 180_000)
