import { describe, expect, it } from 'vitest'
import { sharedVerifier } from '#lib/testing/factories/shared-verifier.ts'
import { DIALECTS } from './testing/dialects.ts'
import { exerciseInput } from './testing/exercise-input.ts'
import { VALID_SOLUTIONS } from './testing/valid-solutions.ts'

const gate = sharedVerifier()

describe('honest code passes without a finding', () => {
  it.each([...VALID_SOLUTIONS, ...DIALECTS])('$name', async ({ solution, test, executed }) => {
    const tsconfig = { ...exerciseInput({ solution, test }).tsconfig, lib: ['ES2022', 'dom'] }
    const input = { solution, test, expected: executed, tsconfig, packageType: 'commonjs' as const }
    const report = await gate.evaluate(exerciseInput(input))
    expect(report.types.diagnostics).toEqual([])
    expect(report.findings).toEqual([])
    const { results } = report.tests
    expect(results.filter((one) => one.status === 'failed')).toEqual([])
    expect(report.tests.loadError).toBeNull()
    expect(results.filter((one) => one.status !== 'skipped').map((one) => one.name)).toEqual(
      executed,
    )
    expect(report.verdict, report.log).toBe('pass')
  })
})
