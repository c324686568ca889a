import { CONFIDENCE, rowInterval, type TaskCounts } from '../statistics/index.ts'
import type { Rate } from './board-row.ts'

/**
 * A row's public number with its doubt and denominator; bounds and rate are null where `method` says why. `confidence`
 * is higher than usual for a row that was looked at more than once (`lookPrice`): its interval is then always-valid.
 */
export function successRate(tallies: readonly TaskCounts[], confidence: number = CONFIDENCE): Rate {
  const voids = tallies.reduce((sum, tally) => sum + (tally.voids ?? 0), 0)
  const interval = rowInterval(tallies, confidence)
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
  return { ...row, method: row.method + lookNote(confidence), voids }
}

/** Added to a method whose interval pays for looks. */
function lookNote(confidence: number): string {
  if (confidence === CONFIDENCE) return ''
  const level = Number((100 * confidence).toPrecision(5))
  return `; always-valid: level ${level} %, for ${100 * CONFIDENCE} % over all interim analyses`
}
