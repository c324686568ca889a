import {
  type AnyBundle,
  countSlots,
  isScored,
  OUTCOME_STATUSES,
  subjectLabel,
} from '../record/index.ts'
import { countOf, markdownText } from '../text/index.ts'
import { formatBadgeRate, formatTier } from './badge.ts'
import type { JudgedRow } from './judge-results.ts'

/** More tasks would make the job summary unreadable. */
const MAX_TASKS = 200

/** Formats a result as Markdown for a job summary: eligibility first, then the numbers. */
export function summaryMarkdown(bundle: AnyBundle, rows: readonly JudgedRow[]): string {
  const { plan } = bundle
  const title = `## ${markdownText(subjectLabel(plan.subject))} on ${markdownText(plan.suiteId)}`
  const parts = [
    [title],
    ...rows.map(eligibilityLines),
    figureLines(bundle, rows),
    taskLines(bundle),
  ]
  return `${parts
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join('\n'))
    .join('\n\n')}\n`
}

function eligibilityLines({ label, reasons, provenance, suiteKnown }: JudgedRow): string[] {
  const note = suiteKnown
    ? ''
    : ' Checked by its plan only, because this version of the suite is not available here.'
  return [
    `**${formatTier(label)}**, if uploaded as ${provenance}.${note}`,
    ...(reasons.length > 0 ? [''] : []),
    ...reasons.map(
      ({ code, text, fix }) => `- ${code}: ${markdownText(text, 1000)} ${markdownText(fix, 1000)}`,
    ),
  ]
}

function figureLines({ plan, runId, episodes }: AnyBundle, rows: readonly JudgedRow[]): string[] {
  const counts = OUTCOME_STATUSES.map((status) => ({
    status,
    count: episodes.filter(({ outcome }) => outcome.status === status).length,
  })).filter(({ count }) => count > 0)
  const scored = episodes.filter(({ outcome }) => isScored(outcome.status)).length
  return [
    '| | |',
    '|---|---|',
    ...rows.map(({ success }) => `| Success | ${successWords(success)} |`),
    `| Episodes | ${countSlots(plan)} planned, ${episodes.length} finished, ${scored} scored |`,
    `| Outcomes | ${counts.map(({ status, count }) => `${count} ${status}`).join(', ') || '–'} |`,
    `| Run | ${markdownText(runId)} |`,
    `| Plan | ${plan.planDigest} |`,
  ]
}

/** A rate with interval and sample size; a dash if unknown. */
function successWords(success: JudgedRow['success']): string {
  if (success.rate === null) return '–'
  return `${formatBadgeRate(success)}, ${countOf(success.attempts, 'scored episode')} of ${countOf(success.tasks, 'task')}`
}

function taskLines({ plan, episodes }: AnyBundle): string[] {
  const shown = plan.tasks.slice(0, MAX_TASKS).map(({ taskId }) => {
    const own = episodes.filter((episode) => episode.taskId === taskId)
    const count = (holds: (status: (typeof own)[number]['outcome']['status']) => boolean) =>
      own.filter(({ outcome }) => holds(outcome.status)).length
    const [solved, scored] = [count((status) => status === 'solved'), count(isScored)]
    return `| ${markdownText(taskId)} | ${solved} | ${scored} | ${own.length - scored} |`
  })
  const left = plan.tasks.length - shown.length
  return [
    '| Task | Solved | Scored | Excluded |',
    '|---|--:|--:|--:|',
    ...shown,
    ...(left > 0 ? [`| … and ${left} more | | | |`] : []),
  ]
}
