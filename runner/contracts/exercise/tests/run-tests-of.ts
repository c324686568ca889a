import { randomBytes } from 'node:crypto'
import type { ChildInput } from '../child/child-input.ts'
import type { GateInput } from '../gate-types.ts'
import { type ChildReport, parseReport } from './parse-report.ts'
import type { TestProcessEnd } from './test-process.ts'
import type { TestProcessPool } from './test-process-pool.ts'
import { PATIENCE } from './watch-time.ts'

/** What came of one test run, before anything is decided about it. */
export type TestRun =
  | { kind: 'not-compiled'; error: string; durationMs: number }
  | { kind: 'ran'; end: TestProcessEnd; report: ChildReport; durationMs: number }

export type RanTests = Extract<TestRun, { kind: 'ran' }>

const secret = (): string => randomBytes(16).toString('hex')

/** Hands compiled files to a process of their own: the tests among them run first, then the scenario with each seed. */
export async function runTestsOf(
  { onlyFirstTest, probe, timeoutMs }: Pick<GateInput, 'onlyFirstTest' | 'probe' | 'timeoutMs'>,
  { files, scenarioSeeds }: Pick<ChildInput, 'files' | 'scenarioSeeds'>,
  pool: TestProcessPool,
  signal: AbortSignal | undefined,
): Promise<RanTests> {
  const nonce = secret()
  const work: ChildInput = {
    nonce,
    seed: secret(),
    files,
    scenarioSeeds,
    onlyFirstTest: onlyFirstTest ?? false,
    probe: probe ?? false,
    deadlineMs: timeoutMs * PATIENCE,
  }
  const process = await pool.take()
  const startedAt = performance.now()
  try {
    const end = await process.run(JSON.stringify(work), timeoutMs, signal)
    const report = parseReport(end.report, nonce)
    // No solution code ran yet: a machine or a build that is broken, never a verdict.
    if (!report.started && end.stoppedBy === null)
      throw new Error(`the test process did not start: ${end.output.slice(-2_000)}`)
    return { kind: 'ran', end, report, durationMs: performance.now() - startedAt }
  } finally {
    await pool.release(process)
  }
}
