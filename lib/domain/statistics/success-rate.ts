import type { Rate } from '../board/board-row.ts'
import { rowInterval } from './row-interval.ts'
import type { TaskTally } from './task-tally.ts'

/** A row's public number with its doubt and denominator; bounds and rate are null where `method` says why. */
export function successRate(tallies: readonly TaskTally[]): Rate {
  const voids = tallies.reduce((sum, tally) => sum + (tally.voids ?? 0), 0)
  const interval = rowInterval(tallies)
  if (!interval.ok) {
    return {
      rate: null,
      low: null,
      high: null,
      method: interval.refusal.reason,
      tasks: 0,
      attempts: 0,
      voids,
    }
  }
  const { standardError: _, ...row } = interval.value
  return { ...row, voids }
}
