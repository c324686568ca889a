import type { TamperFinding, TestResult } from '../gate-types.ts'

/** What a test process said about its run. Only a complete report counts. */
export type ChildReport = {
  results: TestResult[]
  findings: TamperFinding[]
  loadError: string | null
  probeMax: number | null
  complete: boolean
}

type Line = Record<string, unknown> & { nonce?: unknown; kind?: unknown }

/**
 * Reads the private pipe. A line without this run's nonce did not come from the harness, nor did one after the end.
 */
export function parseReport(text: string, nonce: string): ChildReport {
  const report: ChildReport = { results: [], findings: [], loadError: null, probeMax: null, complete: false }
  let executed = 0
  let fileErrors = 0
  for (const raw of text.split('\n')) {
    if (raw === '') continue
    const line = parseLine(raw)
    if (line?.nonce !== nonce || report.complete) forged(report)
    else if (line.kind === 'test') {
      const result = toResult(line)
      report.results.push(result)
      if (result.status !== 'skipped') executed++
    } else if (line.kind === 'finding') {
      report.findings.push({ code: String(line['code']), detail: String(line['detail']) })
    } else if (line.kind === 'load-error') {
      report.loadError = report.loadError ?? String(line['message'])
      fileErrors++
    } else if (line.kind === 'end') {
      report.probeMax = typeof line['probeMax'] === 'number' ? line['probeMax'] : null
      report.complete = line['executed'] === executed
      if (!report.complete) forged(report)
    }
  }
  return fileErrors > 1 ? { ...report, loadError: `${report.loadError} (and ${fileErrors - 1} more)` } : report
}

function parseLine(raw: string): Line | null {
  try {
    const value: unknown = JSON.parse(raw)
    return typeof value === 'object' && value !== null ? (value as Line) : null
  } catch {
    return null
  }
}

function toResult(line: Line): TestResult {
  const status = line['status'] === 'passed' || line['status'] === 'skipped' ? line['status'] : 'failed'
  const durationMs = typeof line['durationMs'] === 'number' ? line['durationMs'] : 0
  const result: TestResult = { name: String(line['name']), status, durationMs }
  return typeof line['message'] === 'string' ? { ...result, message: line['message'] } : result
}

function forged(report: ChildReport): void {
  const detail = 'a record on the report pipe was not written by the harness'
  if (!report.findings.some(({ code }) => code === 'report-forged')) report.findings.push({ code: 'report-forged', detail })
}
