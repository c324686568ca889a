import type { GateInput, TamperFinding, TestsReport } from './gate-types.ts'
import type { TestRun } from './tests/run-tests-of.ts'

const NOT_RUN: TestsReport = {
  ran: false,
  ok: false,
  results: [],
  passed: 0,
  failed: 0,
  skipped: 0,
  missing: [],
  unexpected: [],
  loadError: null,
  timedOut: false,
  exitCode: null,
  signal: null,
  durationMs: 0,
  probeMax: null,
}

type Decision = { tests: TestsReport; findings: TamperFinding[] }

/** What a test run means. Nothing counts but a complete report of exactly the expected tests. */
export function decideTests(
  input: Pick<GateInput, 'expectedTests'>,
  run: TestRun | null,
): Decision {
  if (run === null) return { tests: NOT_RUN, findings: [] }
  const { expectedTests: expected } = input
  if (run.kind === 'not-compiled') {
    const tests = {
      ...NOT_RUN,
      ran: true,
      loadError: run.error,
      missing: expected ?? [],
      durationMs: run.durationMs,
    }
    return { tests, findings: [] }
  }
  const { end, report, durationMs } = run
  const { results, loadError, probeMax, complete, closed } = report
  const count = (status: string): number => results.filter((one) => one.status === status).length
  const executed = results.filter((one) => one.status !== 'skipped').map((one) => one.name)
  const { missing, unexpected } = compareNames(expected ?? executed, executed)
  const failed = count('failed')
  const findings = [...report.findings]
  const timedOut = end.stoppedBy === 'timeout'
  const endedItself = end.signal === null && end.exitCode === 0
  if (!closed && endedItself) {
    findings.push({
      code: 'report-missing',
      detail: 'the test process ended with success before its report was complete',
    })
  }
  const ok =
    complete &&
    !timedOut &&
    loadError === null &&
    failed === 0 &&
    executed.length > 0 &&
    missing.length + unexpected.length === 0
  const ending = { timedOut, exitCode: end.exitCode, signal: end.signal, durationMs, probeMax }
  const counts = { passed: count('passed'), failed, skipped: count('skipped') }
  return {
    tests: { ran: true, ok, results, ...counts, missing, unexpected, loadError, ...ending },
    findings,
  }
}

/** Multiset difference both ways. */
function compareNames(
  expected: readonly string[],
  executed: readonly string[],
): { missing: string[]; unexpected: string[] } {
  const open = new Map<string, number>()
  for (const name of expected) open.set(name, (open.get(name) ?? 0) + 1)
  const unexpected = executed.filter((name) => {
    const left = open.get(name) ?? 0
    if (left > 0) open.set(name, left - 1)
    return left === 0
  })
  const missing = [...open].flatMap(([name, left]) => Array.from({ length: left }, () => name))
  return { missing, unexpected }
}
