import { readFileSync } from 'node:fs'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { z } from 'zod'
import { suiteSchema } from '#lib/domain/tasks/index.ts'
import { MutatedSuite, TESTS } from '#lib/testing/cases/mutated-suite.ts'
import { lastJson } from '#lib/testing/factories/proofboard-command.ts'

let suite: MutatedSuite
beforeEach(() => {
  suite = new MutatedSuite()
})
afterEach(() => suite.remove())

const showSuite = async () =>
  suiteSchema.parse(
    lastJson((await suite.proofboard('suite', 'show', suite.folder, '--json')).stdout).suite,
  )

const survivorSchema = z.object({ line: z.number(), before: z.string(), after: z.string() })
const answerSchema = z.looseObject({
  mutants: z.number(),
  compiled: z.number(),
  durationMs: z.number().positive(),
  tasks: z.array(z.looseObject({ taskId: z.string(), survivors: z.array(survivorSchema) })),
})

it('counts what the tests let through, keeps it, and tells it as stale once the tests change', async () => {
  await suite.proofboard('suite', 'lock', suite.folder)
  const before = await showSuite()
  expect(before.tasks[0]).not.toHaveProperty('mutation')

  const told = await suite.proofboard('suite', 'mutate', suite.folder, '--json', '--write')
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
    mutants,
    compiled,
    caughtByVisible: compiled - 6,
    caughtByHeldOut: null,
    surviving: 6,
    wrong: 2,
    wrongCaught: 1,
  }
  const survivingShare = 6 / compiled
  expect(total).toEqual({ suiteId: 'mine', ...figures, caughtByHeldOutOnly: null, survivingShare })

  const after = await showSuite()
  expect(after.digest).toBe(before.digest)
  expect(after.tasks[0]).toHaveProperty('mutation', { ...figures, isStale: false })

  const kept = readFileSync(suite.keptFile, 'utf8')
  const again = await suite.proofboard(
    'suite',
    'mutate',
    suite.folder,
    '--stale',
    '--write',
    '--json',
  )
  expect(lastJson(again.stdout)).toMatchObject({ tasks: [], mutants: 0, survivingShare: null })
  expect(readFileSync(suite.keptFile, 'utf8')).toBe(kept)

  suite.plant('adult/adult.test.ts', TESTS.replace('isAdult(30)', 'isAdult(18)'))
  expect((await showSuite()).tasks[0]).toHaveProperty('mutation', { ...figures, isStale: true })
}, 180_000)

it('asks a held-out scenario as well, and tells what it alone catches', async () => {
  suite.plant(
    'adult/.meta/held-out.ts',
    `import type { Scenario } from '../../held-out.ts'
import { isAdult } from '../adult.ts'
export const scenario: Scenario = ({ random, attempt }) => {
  for (const age of [0, 17, 18, random.int(0, 99)]) attempt(\`\${age}\`, () => isAdult(age))
}
`,
  )
  const told = await suite.proofboard('suite', 'mutate', suite.folder, '--json', '--write')
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
