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

type Files = Pick<ChildInput, 'files' | 'scenarioSeeds'>
type Limits = Pick<GateInput, 'onlyFirstTest' | 'probe' | 'timeoutMs'>

/** Hands compiled files to a process of their own: the tests among them run first, then the scenario with each seed. */
export async function runTestsOf(
  limits: Limits,
  files: Files,
  pool: TestProcessPool,
  signal: AbortSignal | undefined,
): Promise<RanTests> {
  const process = await pool.take()
  try {
    return await readRun(limits, files, (work) => process.run(work, limits.timeoutMs, signal))
  } finally {
    await pool.release(process)
  }
}

/** The same for a reference, which needs no process of its own: nobody hostile has been there. */
export function answerBy(limits: Limits, files: Files, pool: TestProcessPool): Promise<RanTests> {
  return readRun(limits, files, (work) => pool.answer(work, limits.timeoutMs))
}

async function readRun(
  { onlyFirstTest = false, probe = false, timeoutMs }: Limits,
  files: Files,
  hand: (work: string) => Promise<TestProcessEnd>,
): Promise<RanTests> {
  const nonce = secret()
  const deadlineMs = timeoutMs * PATIENCE
  const work: ChildInput = { nonce, seed: secret(), ...files, onlyFirstTest, probe, deadlineMs }
  const startedAt = performance.now()
  const end = await hand(JSON.stringify(work))
  const report = parseReport(end.report, nonce)
  // No solution code ran yet: a machine or a build that is broken, never a verdict.
  if (!report.started && end.stoppedBy === null)
    throw new Error(`the test process did not start: ${end.output.slice(-2_000)}`)
  return { kind: 'ran', end, report, durationMs: performance.now() - startedAt }
}
