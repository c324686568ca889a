import type { TaskCounts } from './task-counts.ts'
import { prepareTheseTasks } from './these-tasks-difference.ts'
import { readRow } from './void-readings.ts'

/** A registered rule: when two sides of a plan stop. Its looks are numbers of planned episodes. */
export type StopRule = {
  /** The smallest difference that matters, 0–1. */
  difference: number
  /** Chance of a false verdict over all looks. */
  alpha: number
  looks: readonly number[]
}

export type StopVerdict = 'better' | 'worse' | 'no-larger-than'

/** The difference a − b on these tasks at one look, with the interval of the verdict. */
export type LookResult = {
  verdict: StopVerdict | null
  difference: number
  low: number
  high: number
}

/** Looks of a new rule. More looks cost more than they save. */
const STOP_LOOKS = 5

/**
 * Planned episodes after which a plan of two sides is looked at: evenly spaced, whole pairs, none before every task was
 * tried by both. `pairs` = tasks × repetitions. Fewer than two = the plan is too small to stop early.
 */
export function stopLooks(tasks: number, pairs: number): number[] {
  const looks = Array.from({ length: STOP_LOOKS }, (_, index) =>
    Math.max(tasks, Math.ceil(((index + 1) * pairs) / STOP_LOOKS)),
  )
  return [...new Set(looks)].map((look) => 2 * look)
}

/**
 * One look at two sides. Each look spends an equal part of alpha (Bonferroni), so that a false verdict at any look has at
 * most the chance alpha: *better* and *worse* where the two-sided interval excludes zero, *no larger than* where both
 * one-sided bounds lie within the smallest difference that matters. Excluded attempts are read against every verdict.
 */
export function lookAtPair(
  a: readonly TaskCounts[],
  b: readonly TaskCounts[],
  { difference: smallest, alpha, looks }: StopRule,
): LookResult | null {
  const [left, right] = [readRow(a), readRow(b)]
  if (!left.ok || !right.ok) return null
  const own = alpha / looks.length
  const [one, other] = [left.value, right.value]
  const isWhole = one.excluded === one.allFailed && other.excluded === other.allFailed
  const plain = prepareTheseTasks(one.excluded, other.excluded)
  const lowest = isWhole ? plain : prepareTheseTasks(one.allFailed, other.allSolved)
  const highest = isWhole ? plain : prepareTheseTasks(one.allSolved, other.allFailed)
  if (plain === null || lowest === null || highest === null) return null
  const at = (level: number) => {
    const found = plain(level)
    if (isWhole) return found
    const [low, high] = [lowest(level).low, highest(level).high]
    return { ...found, low: Math.min(found.low, low), high: Math.max(found.high, high) }
  }
  const twoSided = at(1 - own)
  const oneSided = at(1 - 2 * own)
  if (twoSided.low > 0) return { verdict: 'better', ...twoSided }
  if (twoSided.high < 0) return { verdict: 'worse', ...twoSided }
  const isSmall = oneSided.low > -smallest && oneSided.high < smallest
  return isSmall ? { verdict: 'no-larger-than', ...oneSided } : { verdict: null, ...twoSided }
}
