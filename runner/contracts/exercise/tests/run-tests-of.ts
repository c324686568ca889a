import { randomBytes } from 'node:crypto'
import type { ChildInput } from '../child/child-input.ts'
import type { GateInput } from '../gate-types.ts'
import { compileFiles } from './compile-files.ts'
import { type ChildReport, parseReport } from './parse-report.ts'
import type { TestProcessEnd } from './test-process.ts'
import type { TestProcessPool } from './test-process-pool.ts'

/** What came of one test run, before anything is decided about it. */
export type TestRun =
  | { kind: 'not-compiled'; error: string; durationMs: number }
  | { kind: 'ran'; end: TestProcessEnd; report: ChildReport; durationMs: number }

const secret = (): string => randomBytes(16).toString('hex')

/** Compiles a task's files and runs its tests in a process of their own. */
export async function runTestsOf(
  input: GateInput,
  pool: TestProcessPool,
  signal: AbortSignal | undefined,
): Promise<TestRun> {
  const startedAt = performance.now()
  const compiled = await compileFiles(input, input.timeoutMs)
  const durationMs = () => performance.now() - startedAt
  if (compiled.files === null)
    return { kind: 'not-compiled', error: compiled.error, durationMs: durationMs() }
  const nonce = secret()
  const work: ChildInput = {
    nonce,
    seed: secret(),
    files: compiled.files,
    onlyFirstTest: input.onlyFirstTest ?? false,
    probe: input.probe ?? false,
    deadlineMs: input.timeoutMs,
  }
  const process = await pool.take()
  try {
    const end = await process.run(JSON.stringify(work), input.timeoutMs, signal)
    const report = parseReport(end.report, nonce)
    // No solution code ran yet: a machine or a build that is broken, never a verdict.
    if (!report.started)
      throw new Error(`the test process did not start: ${end.output.slice(-2_000)}`)
    return { kind: 'ran', end, report, durationMs: durationMs() }
  } finally {
    await pool.release(process)
    pool.refill()
  }
}
