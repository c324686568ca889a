import { countOf, formatCost, formatDifference, formatDuration } from '../text/index.ts'
import type { Explanation } from './explain-plan.ts'
import type { Quote } from './first-guess.ts'

/** Describes the estimate in one or two sentences, as plain text. */
export function describePlan(explanation: Explanation): string {
  const { episodes, tasks, repetitions, detectable, arms } = explanation
  const each = arms.length === 0 ? '' : ` × ${countOf(arms.length, 'arm')}`
  const size = `${countOf(episodes, 'episode')} (${countOf(tasks, 'task')} × ${repetitions}${each})`
  const between = arms.length > 1 ? 'between two arms' : 'from an entry of the same size'
  const power =
    detectable.value === null
      ? `No difference ${between} can be detected with 80 % power`
      : `80 % power to detect a difference of ${formatPoints(detectable.value)} ${between}${poolWords(explanation.pool)}`
  return `${size}: ${claimWords(explanation)}. ${power}. ${costWords(explanation.cost)}; ${timeWords(explanation)}.`
}

/** ` among 8 ranked entries`; empty for a single pair. */
function poolWords({ rows }: Explanation['pool']): string {
  return rows > 2 ? ` among ${countOf(rows, 'ranked entry')}` : ''
}

/** `$6.30 ($2.10 to $14.00)`, without a range if there is none; null if unknown. */
export function describeCost(quote: Quote): string | null {
  return describeQuote(quote, formatCost)
}

/** `12 min (8 min to 30 min)`, in the same format. */
export function describeTime(quote: Quote): string | null {
  return describeQuote(quote, aboutDuration)
}

function describeQuote(
  { expected, low, high }: Quote,
  format: (amount: number) => string,
): string | null {
  if (expected === null) return null
  const range = low === null || high === null ? '' : ` (${format(low)} to ${format(high)})`
  return `${format(expected)}${range}`
}

function claimWords({ gate }: Explanation): string {
  const { aggregate, perTask } = gate
  if (aggregate.length === 0) {
    return perTask.length === 0
      ? 'enough for a ranking over the suite and for each task'
      : 'enough for a ranking over the suite, not for single tasks'
  }
  const isOnlySamples = aggregate.every(({ code }) => code === 'samples')
  const count = countOf(aggregate.length, 'reason')
  return isOnlySamples
    ? 'too few episodes for a ranking'
    : `not ranked yet, for ${count} listed below`
}

function costWords(cost: Quote): string {
  const known = describeCost(cost)
  if (cost.expected === 0) return 'Costs nothing'
  const how = cost.isGuess ? ', a first guess' : ''
  return known ? `Costs about ${known}${how}` : 'The cost is unknown'
}

function timeWords({ time, concurrency }: Explanation): string {
  const known = describeTime(time)
  const at = concurrency === 1 ? 'one at a time' : `${concurrency} at a time`
  const how = time.isGuess ? ', a first guess' : ''
  return known ? `takes about ${known}, ${at}${how}` : 'the duration is unknown'
}

/** An estimate of more than a minute in whole minutes. */
export function aboutDuration(ms: number): string {
  return formatDuration(ms < 60_000 ? ms : Math.round(ms / 60_000) * 60_000)
}

/** Formats a difference or half width of 0–1 in percentage points: 0.2134 → `21.3 points`. */
export function formatPoints(value: number): string {
  return `${formatDifference(value)} points`
}
