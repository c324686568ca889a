import { describe, expect, it } from 'vitest'
import { sharedVerifier } from '#lib/testing/factories/shared-verifier.ts'
import { BUILTINS } from '#lib/testing/verifier/builtins.ts'
import { ESCAPES, EXHAUSTION } from '#lib/testing/verifier/escapes.ts'
import type { ExerciseAttack } from '#lib/testing/verifier/exercise-input.ts'
import { exerciseInput, oneTest } from '#lib/testing/verifier/exercise-input.ts'
import { SILENT_ATTACKS, SPOOFING_ATTACKS } from '#lib/testing/verifier/spoofing-attacks.ts'

const verifier = sharedVerifier()

const evaluate = ({ body, solution }: ExerciseAttack, timeoutMs: number) =>
  verifier.evaluate(
    exerciseInput({
      // Types are tested elsewhere: the tests must be sufficient by themselves.
      solution: `// @ts-nocheck\n${solution}`,
      test: `// @ts-nocheck\n${oneTest('answer', body)}`,
      expected: ['t'],
      timeoutMs,
    }),
  )

/** In parallel: the exhausting ones mostly wait for their timeout. */
const isFound = (timeoutMs: number) => async (attack: ExerciseAttack) => {
  const report = await evaluate(attack, timeoutMs)
  expect(report.types.diagnostics).toEqual([])
  expect(report.tests.ok && report.findings.length === 0, report.log).toBe(false)
  expect(report.verdict).toBe('fail')
  if (attack.finding) expect(report.findings.map((one) => one.code)).toContain(attack.finding)
}

/** In regular runs, every third attack that changes the language is tried, one builtin each: each costs a process. */
function isOfDay(_: ExerciseAttack, index: number): boolean {
  return index % 3 === 0
}

describe.each([
  { family: 'escape', attacks: ESCAPES },
  { family: 'changed language', attacks: BUILTINS.filter(isOfDay) },
  { family: 'lying value', attacks: SPOOFING_ATTACKS },
  { family: 'quiet', attacks: SILENT_ATTACKS },
])('$family', ({ attacks }) => {
  it.concurrent.each(attacks)('$name', isFound(10_000))
})

describe('exhaustion', () => {
  it.concurrent.each(EXHAUSTION.slice(0, 4))('$name', isFound(2_000))
  it.concurrent.each(EXHAUSTION.slice(4))('$name', { tags: 'night' }, isFound(2_000))
})

describe('changed language', () => {
  const rest = BUILTINS.filter((one, index) => !isOfDay(one, index))
  it.concurrent.each(rest)('$name', { tags: 'night' }, isFound(10_000))
})
