import { oppositeTests } from './alter-tests.ts'
import { buildPrograms } from './bundle/build-programs.ts'
import { evaluateSolution, type Tools } from './evaluate-solution.ts'
import { describeGradingSandbox, listGradingSandboxes } from './grading-sandbox.ts'
import type { GradingSandbox } from './sandboxed-command.ts'
import { TestProcessPool } from './tests/test-process-pool.ts'
import { TypeChecker } from './types/type-checker.ts'
import type { Expectation } from './types/type-messages.ts'
import type { ExerciseVerifier, SourceFile } from './verifier-types.ts'

/**
 * Creates the verifier of exercises. Starts the type-check worker and test processes at once, so that they are warm for
 * the first solution. The caller closes it.
 */
export function createVerifier({
  typeWorkers = 1,
  cacheDir,
  places = listGradingSandboxes(),
}: {
  typeWorkers?: number
  cacheDir?: string
  /** Sandboxes to try, the strongest first. */
  places?: readonly GradingSandbox[]
} = {}): ExerciseVerifier {
  const programs = buildPrograms(cacheDir)
  // The first evaluation reports the error.
  programs.catch(() => undefined)
  const checkers = Array.from({ length: Math.max(1, typeWorkers) }, () => new TypeChecker(programs))
  const pool = new TestProcessPool(programs, places)
  const expectations = new Map<string, Promise<Expectation[]>>()
  const answers: Tools['answers'] = new Map()
  let closed = false
  const refuseClosed = (): void => {
    if (closed) throw new Error('the verifier was closed')
  }
  const leastBusy = () => checkers.reduce((least, one) => (one.load < least.load ? one : least))
  const expectationsOf = (tests: SourceFile[]): Promise<Expectation[]> => {
    const key = JSON.stringify(tests)
    const known = expectations.get(key)
    if (known !== undefined) return known
    const found = leastBusy().findExpectations(tests)
    expectations.set(key, found)
    found.catch(() => expectations.delete(key))
    return found
  }
  return {
    async evaluate(input, signal) {
      try {
        const tools = { pool, checker: leastBusy(), expectationsOf, answers }
        return await evaluateSolution(input, tools, signal)
      } finally {
        // A process killed by `close` says nothing about the solution or the harness.
        refuseClosed()
      }
    },
    async ready(signal) {
      refuseClosed()
      const [checker] = checkers
      await Promise.all([checker?.ready(signal), pool.ready()])
    },
    async describe() {
      const [{ sandbox, network, weakerBecause }, { digest }] = await Promise.all([
        pool.place,
        programs,
      ])
      const weakness = describeGradingSandbox({ sandbox, network }, weakerBecause)
      return { verifier: { sandbox, network, digest }, weakness }
    },
    async opposite(tests) {
      return oppositeTests(tests, await expectationsOf(tests))
    },
    async close() {
      closed = true
      await Promise.all([...checkers.map((checker) => checker.close()), pool.close()])
    },
  }
}
