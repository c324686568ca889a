import type { BoardRow } from '../board/board-row.ts'
import { UNKNOWN_SPENDING, unknownValue } from './axis-measure.ts'
import type { AxisValue } from './axis-report.ts'

/** A figure over all scored episodes of a row, failures included: no interval is made for what proves nothing. */
export function rawValue(
  { success: { tasks, attempts } }: BoardRow,
  value: number | null,
  method = 'mean over scored episodes, failures included; no interval is given',
): AxisValue {
  if (value === null) return unknownValue(UNKNOWN_SPENDING)
  return { value, low: null, high: null, tasks, episodes: attempts, method }
}
