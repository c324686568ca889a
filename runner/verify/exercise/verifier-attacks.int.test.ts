import { describe, expect, it } from 'vitest'
import { sharedVerifier } from '#lib/testing/factories/shared-verifier.ts'
import { BUILTINS } from './testing/builtins.ts'
import { ESCAPES, EXHAUSTION } from './testing/escapes.ts'
import type { ExerciseAttack } from './testing/exercise-input.ts'
import { exerciseInput, oneTest } from './testing/exercise-input.ts'
import { SILENT_ATTACKS, SPOOFING_ATTACKS } from './testing/spoofing-attacks.ts'

const gate = sharedVerifier()

const evaluate = ({ body, solution }: ExerciseAttack, timeoutMs: number) =>
  gate.evaluate(
    exerciseInput({
      // What the types say is another matter: the tests must hold by themselves.
      solution: `// @ts-nocheck\n${solution}`,
      test: `// @ts-nocheck\n${oneTest('answer', body)}`,
      expected: ['t'],
      timeoutMs,
    }),
  )

describe.each([
  { family: 'escape', attacks: ESCAPES, timeoutMs: 10_000 },
  { family: 'changed language', attacks: BUILTINS, timeoutMs: 10_000 },
  { family: 'lying value', attacks: SPOOFING_ATTACKS, timeoutMs: 10_000 },
  { family: 'quiet', attacks: SILENT_ATTACKS, timeoutMs: 10_000 },
  { family: 'exhaustion', attacks: EXHAUSTION, timeoutMs: 2_000 },
])('$family', ({ attacks, timeoutMs }) => {
  // Side by side: most of what the exhausting ones do is wait for their time-out.
  it.concurrent.each(attacks)('$name', async (attack) => {
    const report = await evaluate(attack, timeoutMs)
    expect(report.types.diagnostics).toEqual([])
    expect(report.tests.ok && report.findings.length === 0, report.log).toBe(false)
    expect(report.verdict).toBe('fail')
    if (attack.finding) expect(report.findings.map((one) => one.code)).toContain(attack.finding)
  })
})
