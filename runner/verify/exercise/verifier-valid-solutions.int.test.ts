import { describe, expect, it } from 'vitest'
import { sharedVerifier } from '#lib/testing/factories/shared-verifier.ts'
import { DIALECTS } from '#lib/testing/verifier/dialects.ts'
import { exerciseInput, oneTest } from '#lib/testing/verifier/exercise-input.ts'
import { VALID_SOLUTIONS } from '#lib/testing/verifier/valid-solutions.ts'

const verifier = sharedVerifier()

describe('honest code passes without a finding', () => {
  it.each([...VALID_SOLUTIONS, ...DIALECTS])('$name', async ({ solution, test, executed }) => {
    const tsconfig = { ...exerciseInput({ solution, test }).tsconfig, lib: ['ES2022', 'dom'] }
    const input = { solution, test, expected: executed, tsconfig, packageType: 'commonjs' as const }
    const report = await verifier.evaluate(exerciseInput(input))
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

/** Methods of built-ins cannot be shadowed by assignment here, which is our limitation and not an attack. */
it.each([
  'const list: number[] = []; list.push = () => 7; export const answer = () => list.push(1)',
  'class Last extends Map<string, number> {}\nLast.prototype.get = () => 7\nexport const answer = () => new Last().get("a")',
  'class Once extends Set<number> { constructor() { super(); this.add = (n) => super.add(n) } }\nexport const answer = () => new Once().add(1).size',
])('an object of its own that hides an inherited method is no tampering: %s', async (solution) => {
  const test = oneTest('answer', 'expect(answer()).toBeDefined()')
  const { findings } = await verifier.evaluate(exerciseInput({ solution, test }))
  expect(findings).toEqual([])
})
