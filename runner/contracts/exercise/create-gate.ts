import { buildPrograms } from './bundle/build-programs.ts'
import { decideTests } from './decide-tests.ts'
import { formatLog } from './format-log.ts'
import type { Gate, GateInput, GateReport, TypesReport } from './gate-types.ts'
import { runTestsOf, type TestRun } from './tests/run-tests-of.ts'
import { TestProcessPool } from './tests/test-process-pool.ts'
import { TypeChecker } from './types/type-checker.ts'
import type { TypeCheckInput } from './types/type-messages.ts'

/**
 * Larger solutions are nobody's work. Measured: 170,000 nested operators overflow the stack of esbuild's service, and
 * it would take everybody's compilations down with it.
 */
const LARGEST_SOLUTION = 128 * 1024

/**
 * Creates the official gate for exercises. Starts the type-check worker and one test process at once, so that both
 * are warm when the first solution comes. Whoever creates it closes it.
 */
export function createGate({
  typeWorkers = 1,
  cacheDir,
}: {
  typeWorkers?: number
  cacheDir?: string
} = {}): Gate {
  const programs = buildPrograms(cacheDir)
  // Reported by the first evaluation.
  programs.catch(() => undefined)
  const checkers = Array.from({ length: Math.max(1, typeWorkers) }, () => new TypeChecker(programs))
  const pool = new TestProcessPool(programs)
  let closed = false
  return {
    async evaluate(input, signal) {
      try {
        return await evaluate(input, checkers, pool, signal)
      } finally {
        // A process killed by `close` says nothing about the solution, nor about us.
        if (closed) refuseClosed()
      }
    },
    async close() {
      closed = true
      await Promise.all([...checkers.map((checker) => checker.close()), pool.close()])
    },
  }
}

function refuseClosed(): never {
  throw new Error('the gate was closed')
}

async function evaluate(
  input: GateInput,
  checkers: TypeChecker[],
  pool: TestProcessPool,
  signal?: AbortSignal,
): Promise<GateReport> {
  signal?.throwIfAborted()
  const oversize = input.solution.reduce((sum, { text }) => sum + text.length, 0) > LARGEST_SOLUTION
  if (oversize)
    return toReport(input, tooLarge(), notCompiled('The solution is larger than 128 kB.'))
  const checker = checkers.reduce((least, one) => (one.load < least.load ? one : least))
  const [types, tests] = await Promise.allSettled([
    checker.check(toTypeCheck(input), input.timeoutMs, signal),
    input.runTests ? runTestsOf(input, pool, signal) : null,
  ])
  signal?.throwIfAborted()
  if (types.status === 'rejected') throw types.reason
  if (tests.status === 'rejected') throw tests.reason
  return toReport(input, types.value, tests.value)
}

function toReport(input: GateInput, types: TypesReport, run: TestRun | null): GateReport {
  const { tests, findings } = decideTests(input, run)
  const passes = types.ok && (tests.ok || !input.runTests) && findings.length === 0
  const report = { types, tests, findings, verdict: passes ? ('pass' as const) : ('fail' as const) }
  return { ...report, log: formatLog(report, run?.kind === 'ran' ? run.end.output : '') }
}

function toTypeCheck({
  tests,
  support,
  solution,
  tsconfig,
  packageType,
}: GateInput): TypeCheckInput {
  const jestGlobals = tests.some(({ text }) => !/from\s*['"]@jest\/globals['"]/.test(text))
  return {
    files: [...tests, ...solution, ...support],
    compilerOptions: tsconfig,
    packageType,
    jestGlobals,
  }
}

const tooLarge = (): TypesReport => ({
  ok: false,
  diagnostics: [
    { file: '', line: 1, column: 1, code: 0, message: 'The solution is larger than 128 kB.' },
  ],
  durationMs: 0,
  timedOut: false,
})

const notCompiled = (error: string): TestRun => ({ kind: 'not-compiled', error, durationMs: 0 })
