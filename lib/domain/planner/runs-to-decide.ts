import type { BoardRow } from '../board/index.ts'
import { SMALL_DIFFERENCE } from '../statistics/index.ts'
import {
  assumeVariances,
  findDetectable,
  findFloor,
  findTasksNeeded,
  POWER,
  toPreviousRow,
} from './find-power.ts'

/** What it would take to decide between two rows; the difference in 0–1 that it is for. */
export type RunsToDecide = {
  difference: number
  /** More repetitions of each task on each side, and the episodes of both that this means; null = more tasks are needed. */
  more: { repetitions: number; episodes: number } | null
  /** Tasks needed at the present repetitions, where repetitions alone do not suffice; null = not needed, or beyond reach. */
  tasks: number | null
}

type Side = Pick<BoardRow, 'subject' | 'tasks' | 'repetitions'>

const MOST_REPETITIONS = 100

/**
 * How many more runs of both rows would show a difference as large as the one seen, or the smallest that is not called
 * small, with 80 % power at this level. Variances are estimated from both rows.
 */
export function findRunsToDecide(
  [a, b]: readonly [Side, Side],
  { seen, common, alpha }: { seen: number; common: number; alpha: number },
): RunsToDecide | null {
  if (common === 0) return null
  const difference = Math.max(Math.abs(seen), SMALL_DIFFERENCE)
  const assumed = assumeVariances(toPreviousRow(a), toPreviousRow(b))
  const pool = { rows: 2, pairs: Math.round(POWER.alpha / alpha), alpha }
  const present = Math.max(1, Math.min(a.repetitions.least, b.repetitions.least))
  const isEnough = (repetitions: number) => {
    const found = findDetectable({ tasks: common, repetitions }, assumed, { pool, isRough: true })
    return found.value !== null && found.value <= difference
  }
  const floor = findFloor({ tasks: common }, assumed, pool).value
  const isReachable = floor !== null && floor < difference && isEnough(MOST_REPETITIONS)
  if (isReachable) {
    const wanted = findLeast(present + 1, MOST_REPETITIONS, isEnough)
    const missing = ({ repetitions }: Side) => Math.max(1, wanted - repetitions.least)
    const episodes = common * (missing(a) + missing(b))
    return { difference, more: { repetitions: wanted - present, episodes }, tasks: null }
  }
  const tasks = findTasksNeeded(difference, present, assumed, pool).value
  return { difference, more: null, tasks: tasks === null ? null : Math.max(tasks, common + 1) }
}

/** The least number that passes; the last one passes, and all from some number on. */
function findLeast(first: number, last: number, isEnough: (value: number) => boolean): number {
  let [low, high] = [Math.min(first, last), last]
  while (low < high) {
    const middle = Math.floor((low + high) / 2)
    if (isEnough(middle)) high = middle
    else low = middle + 1
  }
  return low
}
