import { countOf } from '../eligibility/list-names.ts'
import type { Explanation } from './explain-plan.ts'
import { formatCost, formatPoints, formatSpan } from './format-amount.ts'
import type { Quote } from './quote.ts'

/** The whole explanation in one or two sentences, without markup. */
export function describePlan(explanation: Explanation): string {
  const { episodes, tasks, repetitions, detectable } = explanation
  const size = `${countOf(episodes, 'episode')} (${countOf(tasks, 'task')} × ${repetitions})`
  const power =
    detectable.value === null
      ? 'No difference from a rival of the same size can be relied on to show'
      : `80 % power to detect a difference of ${formatPoints(detectable.value)} from a row of the same size${poolWords(explanation.pool)}`
  return `${size}: ${claimWords(explanation)}. ${power}. ${costWords(explanation.cost)}; ${timeWords(explanation)}.`
}

/** ` in a pool of 8 ranked rows`; nothing for a single pair. */
export function poolWords({ rows }: Explanation['pool']): string {
  return rows > 2 ? ` in a pool of ${rows} ranked rows` : ''
}

/** `6.30 USD (2.10 USD to 14.00 USD)`; null when it is unknown. */
export function describeCost({ expected, low, high }: Quote): string | null {
  if (expected === null || low === null || high === null) return null
  return `${formatCost(expected)} (${formatCost(low)} to ${formatCost(high)})`
}

/** `12 min (8 min to 30 min)`; null when it is unknown. */
export function describeTime({ expected, low, high }: Quote): string | null {
  if (expected === null || low === null || high === null) return null
  return `${formatSpan(expected)} (${formatSpan(low)} to ${formatSpan(high)})`
}

function claimWords({ gate }: Explanation): string {
  const { aggregate, perTask } = gate
  if (aggregate.length === 0) {
    return perTask.length === 0
      ? 'enough for a claim over the suite and about each task'
      : 'enough for a claim over the suite, not about a single task'
  }
  const isOnlySamples = aggregate.every(({ code }) => code === 'samples')
  const count = countOf(aggregate.length, 'reason')
  return isOnlySamples ? 'too few samples for a claim' : `no claim yet, for ${count} named below`
}

function costWords(cost: Quote): string {
  const known = describeCost(cost)
  return known ? `Costs about ${known}` : 'What it costs is unknown'
}

function timeWords({ time, concurrency }: Explanation): string {
  const known = describeTime(time)
  const at = concurrency === 1 ? 'one at a time' : `${concurrency} at a time`
  return known ? `takes about ${known}, ${at}` : 'how long it takes is unknown'
}
