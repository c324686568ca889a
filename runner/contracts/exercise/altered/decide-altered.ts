import type { AlteredReport, TestResult } from '../gate-types.ts'
import type { RanTests } from '../tests/run-tests-of.ts'

/**
 * Holds a solution's second run against the reference's. A test that its altered expectation made fail for the
 * reference must fail for every honest solution, too; the other tests must pass again.
 */
export function decideAltered(
  altered: number,
  solution: RanTests,
  reference: RanTests,
): AlteredReport {
  const passed = passedNames(solution.report.results)
  const executed = reference.report.results.filter(({ status }) => status !== 'skipped')
  const mustFail = executed.filter(({ status }) => status === 'failed').map(({ name }) => name)
  const failing = new Set(mustFail)
  const mustPass = executed.filter(({ name }) => !failing.has(name)).map(({ name }) => name)
  return {
    altered,
    mustFail: mustFail.length,
    passed: mustFail.filter((name) => passed.has(name)),
    unrepeated: mustPass.filter((name) => !passed.has(name)),
  }
}

const passedNames = (results: readonly TestResult[]): Set<string> =>
  new Set(results.filter(({ status }) => status === 'passed').map(({ name }) => name))
