import { CONFIDENCE, rowInterval, type TaskCounts } from '../statistics/index.ts'
import type { Rate } from './row-measures.ts'

/**
 * Computes a row's published rate with its interval and sample size; if rate and bounds are null, `method` says why.
 * `confidence` is higher than usual for a row with interim analyses (`lookPrice`): its interval is then always-valid.
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

/** Note on the method of an interval that is corrected for interim analyses. */
function lookNote(confidence: number): string {
  if (confidence === CONFIDENCE) return ''
  const level = Number((100 * confidence).toPrecision(5))
  return `; always-valid: level ${level} %, for ${100 * CONFIDENCE} % over all interim analyses`
}
