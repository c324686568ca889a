import { randomBytes } from 'node:crypto'
import { machineError } from '../../../runner-error.ts'
import type { ChildInput } from '../child/child-input.ts'
import type {
  ChildReport,
  RanTests,
  TestProcessEnd,
  TestResult,
  VerifierInput,
} from '../verifier-types.ts'
import type { TestProcessPool } from './test-process-pool.ts'
import { wallLimitMs } from './watch-time.ts'

const secret = (): string => randomBytes(16).toString('hex')

type Files = Pick<ChildInput, 'files' | 'scenarioSeeds'>
type Limits = Pick<VerifierInput, 'onlyFirstTest' | 'probe' | 'timeoutMs'>

/** Runs compiled files in a process of their own: the tests among them first, then the scenario with each seed. */
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

/** Does the same for a reference, which needs no separate process: no hostile code has run there. */
export function replyWithin(
  limits: Limits,
  files: Files,
  pool: TestProcessPool,
): Promise<RanTests> {
  return readRun(limits, files, (work) => pool.answer(work, limits.timeoutMs))
}

async function readRun(
  { onlyFirstTest = false, probe = false, timeoutMs }: Limits,
  files: Files,
  hand: (work: string) => Promise<TestProcessEnd>,
): Promise<RanTests> {
  const nonce = secret()
  const deadlineMs = wallLimitMs(timeoutMs)
  const work: ChildInput = { nonce, seed: secret(), ...files, onlyFirstTest, probe, deadlineMs }
  const startedAt = performance.now()
  const end = await hand(JSON.stringify(work))
  if (end.stoppedBy === 'starved')
    throw machineError(
      `this machine did not give the tests ${timeoutMs / 1000} s of CPU within ${wallLimitMs(timeoutMs) / 1000} s`,
    )
  const report = parseReport(end.report, nonce)
  // No solution code ran yet: a broken machine or build, never a verdict.
  if (!report.started && end.stoppedBy === null)
    throw new Error(`the test process did not start: ${end.output.slice(-2_000)}`)
  return { kind: 'ran', end, report, durationMs: performance.now() - startedAt }
}

type Line = Partial<
  Record<'nonce' | 'kind' | 'name' | 'status' | 'durationMs' | 'message', unknown>
> &
  Partial<Record<'code' | 'detail' | 'executed' | 'probeMax' | 'round' | 'text', unknown>>

/**
 * Parses the private pipe. A line without this run's nonce did not come from the harness, nor did one after the end.
 */
export function parseReport(text: string, nonce: string): ChildReport {
  const report: ChildReport = {
    results: [],
    findings: [],
    loadError: null,
    probeMax: null,
    transcripts: [],
    started: false,
    complete: false,
    closed: false,
  }
  for (const raw of text.split('\n')) {
    if (raw === '') continue
    const line = parseLine(raw)
    if (line?.nonce !== nonce || report.closed) addForged(report)
    else take(report, line)
  }
  return report
}

function parseLine(raw: string): Line | null {
  try {
    const value: unknown = JSON.parse(raw)
    return typeof value === 'object' && value !== null ? (value as Line) : null
  } catch {
    return null
  }
}

function take(report: ChildReport, line: Line): void {
  switch (line.kind) {
    case 'start':
      report.started = true
      break
    case 'test':
      if (report.complete) addForged(report)
      else report.results.push(toResult(line))
      break
    case 'entry':
      takeEntry(report, line)
      break
    case 'finding':
      report.findings.push({ code: String(line.code), detail: String(line.detail) })
      break
    case 'load-error':
      report.loadError ??= String(line.message)
      break
    case 'end':
      if (report.complete) addForged(report)
      else takeEnd(report, line)
      break
    case 'close':
      report.closed = true
      break
    default:
      addForged(report)
  }
}

function takeEntry({ transcripts }: ChildReport, { round, text }: Line): void {
  if (typeof round !== 'number' || round < 0 || round > transcripts.length) return
  transcripts[round] ??= []
  transcripts[round].push(String(text))
}

/** The end states how many tests were executed, which reveals lost and added records. */
function takeEnd(report: ChildReport, { executed, probeMax }: Line): void {
  const seen = report.results.filter(({ status }) => status !== 'skipped').length
  report.probeMax = typeof probeMax === 'number' ? probeMax : null
  report.complete = executed === seen
  if (!report.complete) addForged(report)
}

function toResult({ name, status, durationMs, message }: Line): TestResult {
  const result: TestResult = {
    name: String(name),
    status: status === 'passed' || status === 'skipped' ? status : 'failed',
    durationMs: typeof durationMs === 'number' ? durationMs : 0,
  }
  return typeof message === 'string' ? { ...result, message } : result
}

function addForged({ findings }: ChildReport): void {
  if (findings.some(({ code }) => code === 'report-forged')) return
  findings.push({
    code: 'report-forged',
    detail: 'a record on the report pipe was not written by the harness',
  })
}
