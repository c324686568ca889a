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
  /** Where the spread of the planned row comes from, and that of the difference: a sentence each. */
  spread: string
  difference: string
}

/** Chances even over tasks, from 0 to 1: variance 1/12 between tasks; the rest as `ASSUMED_VARIANCES` says. */
const EVEN_CHANCES = { vSquared: 1 / 12, sSquared: ASSUMED_VARIANCES.sSquaredA }
const DEFAULT_SPREAD =
  'Assumed, not measured: chances of success lie evenly between 0 and 1 over the tasks'
const DEFAULT_DIFFERENCE = 'the rows go together by a third (variance 1/9 of the true differences)'

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
      ? `Variances estimated from the past rows ${own?.label} and ${rival?.label}.`
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
  if (own && ownLearned) return `Spread estimated from the past row ${own.label}.`
  if (rival && rivalLearned) {
    return `Spread taken from the rival’s past row ${rival.label}: this subject has none that could tell.`
  }
  if (own)
    return `${DEFAULT_SPREAD}. The past row ${own.label} has no repetitions or no spread to learn from.`
  return `${DEFAULT_SPREAD}.`
}

function differenceWords(own: PastRow | null, rival: PastRow | null): string {
  const known = own ?? rival
  if (!known) return `${DEFAULT_SPREAD}, and ${DEFAULT_DIFFERENCE}.`
  const both = own && rival ? ` and ${rival.label}` : ''
  return `Chance within a task estimated from the past row ${known.label}${both}; assumed that ${DEFAULT_DIFFERENCE}.`
}
