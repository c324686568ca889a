import type { Board, BoardRow, Rate } from '../board/board-row.ts'
import type { AxisColumn, AxisValue } from './axis-report.ts'

export type MeasuredColumn = AxisColumn & {
  read: (row: BoardRow, board: Board) => AxisValue
  /** Shown only where a row has episodes with a browser. */
  onlyFor?: 'browser'
}

/** How an axis is read off a board. */
export type AxisMeasure = {
  columns: readonly MeasuredColumn[]
  /** Whether the axis is about this row. */
  covers: (row: BoardRow, board: Board) => boolean
  notes: (board: Board) => string[]
  /** Why there are no rows; asked only when there are none. */
  absent: (board: Board) => string
}

/** True for a row that was measured under injected faults. */
export function isStressRow(row: Pick<BoardRow, 'recovery' | 'label'>): boolean {
  return row.recovery !== null || row.label === 'stress'
}

/** A value that cannot be said, with the reason in the place of the method. */
export function unknownValue(reason: string): AxisValue {
  return { value: null, low: null, high: null, tasks: null, episodes: null, method: reason }
}

/** A rate as a value; its method already says why where there is none. */
export function rateValue({ rate, low, high, tasks, attempts, method }: Rate): AxisValue {
  return { value: rate, low, high, tasks, episodes: attempts, method }
}

/** The column that other reports need beside their own: the success that their numbers explain. */
export const successColumn: MeasuredColumn = {
  id: 'success',
  title: 'Success',
  context: true,
  unit: 'share',
  role: 'primary',
  meaning: 'Mean success over tasks, by the final contract of each, with its interval.',
  read: (row) => rateValue(row.success),
}

export const UNKNOWN_SPENDING = 'Not known of every scored episode.'
export const NO_ROWS = 'No row of this suite has an episode yet.'
export const NO_STRESS_NOTE = 'Rows measured under faults stand in the fault recovery report only.'
