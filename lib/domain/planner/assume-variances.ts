import {
  estimateDifferenceVariance,
  estimateVariances,
  type RowVariances,
} from '../statistics/estimate-variances.ts'
import { ASSUMED_VARIANCES, type PowerDesign } from '../statistics/plan-power.ts'
import type { TaskTally } from '../statistics/task-tally.ts'

/** A past row that a plan may learn from. */
export type PastRow = { label: string; tasks: readonly TaskTally[] }

export type Assumptions = Pick<PowerDesign, 'wSquared' | 'sSquaredA' | 'sSquaredB'> & {
  /** Variance between true task means of the planned row. */
  vSquared: number
  /** The basis of the spread of the planned row, and of the difference: a sentence each. */
  spread: string
  difference: string
}

/** Chances even over tasks, from 0 to 1: variance 1/12 between tasks; the rest as `ASSUMED_VARIANCES` says. */
const EVEN_CHANCES = { vSquared: 1 / 12, sSquared: ASSUMED_VARIANCES.sSquaredA }
const DEFAULT_SPREAD =
  'Assumption: success probabilities are uniformly distributed between 0 and 1 over the tasks'
const DEFAULT_DIFFERENCE = 'the variance of the true differences between the entries is 1/9'

/**
 * The variances that figures of a plan rest on: estimated from past rows of the same subject and of the rival, else the
 * stated default. Rows without repetitions, or without any spread, teach nothing.
 */
export function assumeVariances(own: PastRow | null, rival: PastRow | null): Assumptions {
  const [ownLearned, rivalLearned] = [learn(own), learn(rival)]
  const self = ownLearned ?? rivalLearned ?? EVEN_CHANCES
  const other = rivalLearned ?? self
  const between = own && rival ? estimateDifferenceVariance(own.tasks, rival.tasks) : null
  const isEstimated = between?.ok === true && ownLearned !== null && rivalLearned !== null
  return {
    vSquared: self.vSquared,
    sSquaredA: self.sSquared,
    sSquaredB: other.sSquared,
    wSquared: isEstimated ? between.value : ASSUMED_VARIANCES.wSquared,
    spread: spreadWords(own, rival, ownLearned, rivalLearned),
    difference: isEstimated
      ? `Variances estimated from the entries ${own?.label} and ${rival?.label}.`
      : differenceWords(ownLearned ? own : null, rivalLearned ? rival : null),
  }
}

function learn(row: PastRow | null): Pick<RowVariances, 'vSquared' | 'sSquared'> | null {
  const found = row ? estimateVariances(row.tasks) : null
  if (!found?.ok) return null
  const { vSquared, sSquared } = found.value
  return vSquared + sSquared > 0 ? { vSquared, sSquared } : null
}

function spreadWords(
  own: PastRow | null,
  rival: PastRow | null,
  ownLearned: unknown,
  rivalLearned: unknown,
): string {
  if (own && ownLearned) return `Spread estimated from the entry ${own.label}.`
  if (rival && rivalLearned) {
    return `Spread estimated from the competing entry ${rival.label}, because this agent has no suitable entry.`
  }
  if (own) return `${DEFAULT_SPREAD}. The entry ${own.label} has no repetitions or no spread.`
  return `${DEFAULT_SPREAD}.`
}

function differenceWords(own: PastRow | null, rival: PastRow | null): string {
  const known = own ?? rival
  if (!known) return `${DEFAULT_SPREAD}, and ${DEFAULT_DIFFERENCE}.`
  const both = own && rival ? ` and ${rival.label}` : ''
  return `Variance within tasks estimated from the entry ${known.label}${both}. Assumption: ${DEFAULT_DIFFERENCE}.`
}
