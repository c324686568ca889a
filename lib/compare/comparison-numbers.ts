import { setImmediate as attendToOthers } from 'node:timers/promises'
import {
  compareSteps,
  type RowComparison,
  type RowTallies,
} from '#lib/domain/statistics/compare-rows.ts'

/** Eight rows of a hundred tasks, run unequally often, take some seconds: so the last results are kept. */
const MOST_KEPT = 60

const kept = new Map<string, Promise<RowComparison>>()
let last: Promise<unknown> = Promise.resolve()

/**
 * The numbers of all pairs of these rows, kept under `key`, which must change whenever a count does. One computation
 * runs at a time and lets other requests pass between two pairs.
 */
export function comparisonNumbers(
  key: string,
  rows: readonly RowTallies[],
): Promise<RowComparison> {
  const known = kept.get(key)
  if (known !== undefined) return keep(key, known)
  const work = last.then(() => compute(rows))
  last = work.catch(() => kept.delete(key))
  return keep(key, work)
}

/** The one asked for last stands last and goes last. */
function keep(key: string, numbers: Promise<RowComparison>): Promise<RowComparison> {
  kept.delete(key)
  kept.set(key, numbers)
  const [oldest] = kept.keys()
  if (kept.size > MOST_KEPT && oldest !== undefined) kept.delete(oldest)
  return numbers
}

async function compute(rows: readonly RowTallies[]): Promise<RowComparison> {
  const steps = compareSteps(rows)
  let step = steps.next()
  while (!step.done) {
    await attendToOthers()
    step = steps.next()
  }
  return step.value
}
