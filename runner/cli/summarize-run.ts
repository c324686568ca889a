import type { JudgedRow } from '#lib/domain/board/judge-results.ts'
import type { OutcomeStatus } from '#lib/domain/outcome.ts'
import { isScored } from '#lib/domain/outcome.ts'
import type { FrozenPlan } from '#lib/domain/plan.ts'
import { describeSpending } from '../describe-spending.ts'
import type { RunReport } from '../run-plan.ts'

type RunSummaryJson = {
  runId: string
  planned: number
  sealed: number
  solved: number
  unsolved: number
  void: number
  /** Every void attempt, also those that were tried again. */
  voidAttempts: number
  cancelled: number
  byStatus: Partial<Record<OutcomeStatus, number>>
  durationMs: number
  resultPath: string
  /** How it stands against --spend-cap; null = none was set. */
  spend: RunReport['spend']
  /** What the headline gate says of the run's row, as run by this machine's own runner; none for a top-up. */
  rows: readonly JudgedRow[]
}

type EndedRun = {
  runId: string
  plan: FrozenPlan
  report: RunReport
  rows: readonly JudgedRow[]
}

/**
 * A run in figures. `unsolved` is everything scored that is not solved; exit code 0 = every planned episode is sealed
 * and scored, 1 = some are void or missing, 130 = stopped before the end.
 */
export function summarizeRun({ runId, plan, report, rows }: EndedRun): {
  json: RunSummaryJson
  text: string
  exitCode: number
} {
  const byStatus: RunSummaryJson['byStatus'] = {}
  for (const { outcome } of report.episodes)
    byStatus[outcome.status] = (byStatus[outcome.status] ?? 0) + 1
  const scored = report.episodes.filter(({ outcome }) => isScored(outcome.status)).length
  const solved = byStatus.solved ?? 0
  const json: RunSummaryJson = {
    runId,
    planned: report.planned,
    sealed: report.episodes.length,
    solved,
    unsolved: scored - solved,
    void: byStatus.void ?? 0,
    voidAttempts: report.attempts.filter(({ outcome }) => outcome.status === 'void').length,
    cancelled: byStatus.cancelled ?? 0,
    byStatus,
    durationMs: report.durationMs,
    resultPath: report.resultPath,
    spend: report.spend,
    rows,
  }
  const others = Object.entries(byStatus)
    .filter(([status]) => status !== 'solved')
    .map(([status, count]) => `${count} ${status}`)
  const text = `${[
    `${solved} of ${report.planned} solved`,
    ...others,
    `${(report.durationMs / 1000).toFixed(1)} s`,
  ].join(
    ', ',
  )}\n${rows.map(gateLine).join('')}${topUpLine(plan)}${spendLine(report)}${report.resultPath}`
  const exitCode = report.stopped ? 130 : scored === report.planned ? 0 : 1
  return { json, text, exitCode }
}

function gateLine({ eligible, label, reasons }: JudgedRow): string {
  if (eligible) return `ranked (${label})\n`
  return `unranked (${label}): ${reasons.map(({ text }) => text).join(' ')}\n`
}

function spendLine({ spend, planned, episodes }: RunReport): string {
  return spend ? `${describeSpending(spend, planned - episodes.length)}\n` : ''
}

function topUpLine({ topUpOf }: FrozenPlan): string {
  if (!topUpOf) return ''
  return `adds to ${topUpOf.runIds.join(', ')}: give all their results to "proofboard check" to see the row\n`
}
