import type { Board, BoardRow, BrowserMetrics, Rate, RowTask } from '../board/index.ts'
import { canonicalJson } from '../digest/index.ts'
import { isSameSetup } from '../record/index.ts'
import { costPerSuccess, QUANTILE_METHOD } from '../statistics/index.ts'
import type { AxisColumn, AxisValue } from './axis-report.ts'

export type MeasuredColumn = AxisColumn & {
  read: (row: BoardRow, board: Board) => AxisValue
  /** Shown only if a row has episodes with a browser. */
  onlyFor?: 'browser'
}

/** Reads an axis from a board. */
export type AxisMeasure = {
  columns: readonly MeasuredColumn[]
  /** True if the axis applies to this row. */
  covers: (row: BoardRow, board: Board) => boolean
  notes: (board: Board) => string[]
  /** Why there are no rows; called only then. */
  absent: (board: Board) => string
}

/** True for a row that was measured under injected faults. */
export function isStressRow(row: Pick<BoardRow, 'recovery' | 'label'>): boolean {
  return row.recovery !== null || row.label === 'stress'
}

/** An unknown value, with the reason in place of the method. */
export function unknownValue(reason: string): AxisValue {
  return { value: null, low: null, high: null, tasks: null, episodes: null, method: reason }
}

/** Converts a rate to a value; its method already gives the reason if it is unknown. */
export function rateValue({ rate, low, high, tasks, attempts, method }: Rate): AxisValue {
  return { value: rate, low, high, tasks, episodes: attempts, method }
}

/** Success column that other reports add to their own: it puts their numbers in context. */
export const successColumn: MeasuredColumn = {
  id: 'success',
  title: 'Success',
  context: true,
  unit: 'share',
  role: 'primary',
  meaning: 'Mean success rate over tasks with confidence interval.',
  read: (row) => rateValue(row.success),
}

const UNKNOWN_SPENDING = 'Unknown for some scored episodes.'
export const NO_ROWS = 'No entry of this suite has episodes yet.'
export const NO_STRESS_NOTE =
  'Entries with injected faults are listed only in the fault recovery report.'

/** A diagnostic figure over all scored episodes of a row, failures included; it has no interval. */
export function rawValue(
  { success: { tasks, attempts } }: BoardRow,
  value: number | null,
  method = 'mean over scored episodes, failures included; no interval',
): AxisValue {
  if (value === null) return unknownValue(UNKNOWN_SPENDING)
  return { value, low: null, high: null, tasks, episodes: attempts, method }
}

type Spent = NonNullable<RowTask['spent']>

/**
 * Total spending of a row's scored episodes per success, with the task bootstrap's interval. `read` selects the kind of
 * spending; an unknown part makes the total unknown.
 */
export function valuePerSuccess(row: BoardRow, read: (spent: Spent) => number | null): AxisValue {
  const spending = row.tasks.flatMap(({ taskId, solved, scored, spent }) => {
    if (scored === 0) return []
    return [{ taskId, solved, spent: spent ? read(spent) : null }]
  })
  const result = costPerSuccess(spending)
  if (!result.ok) {
    const isUnknown = result.refusal.code === 'unknown-cost'
    return unknownValue(isUnknown ? UNKNOWN_SPENDING : result.refusal.reason)
  }
  const { value, low, high, tasks, method } = result.value
  return { value, low, high, tasks, episodes: row.success.attempts, method }
}

type Reading = { value: number | null; episodes?: number; method?: string }

/** A diagnostic column about browser episodes; `read` returns the figure and the number of episodes behind it. */
export function browserColumn(
  column: Pick<AxisColumn, 'id' | 'title' | 'unit' | 'meaning'>,
  read: (figures: BrowserMetrics, row: BoardRow) => Reading,
): MeasuredColumn {
  return {
    ...column,
    role: 'diagnostic',
    onlyFor: 'browser',
    read: (row) =>
      row.browser ? toValue(row, read(row.browser, row)) : unknownValue('No browser was used.'),
  }
}

function toValue(row: BoardRow, { value, episodes, method }: Reading): AxisValue {
  if (value === null) return unknownValue('Unknown for these episodes.')
  const { tasks } = row.success
  return {
    value,
    low: null,
    high: null,
    tasks,
    episodes: episodes ?? row.browser?.episodes ?? null,
    method: method ?? QUANTILE_METHOD,
  }
}

const COUNT = 'count over scored episodes, no interval'

/** Disagreements between the library's report and the success criteria. */
export const CONTRADICTION_COLUMNS: readonly MeasuredColumn[] = [
  browserColumn(
    {
      id: 'false-success',
      title: 'False successes',
      unit: 'count',
      meaning:
        'Episodes in which the library reported no error, but the success criteria were not met.',
    },
    ({ falseSuccess }) => ({ value: falseSuccess, method: COUNT }),
  ),
  browserColumn(
    {
      id: 'success-with-error',
      title: 'Successes with an error',
      unit: 'count',
      meaning:
        'Episodes in which the library reported an error, but the success criteria were met.',
    },
    ({ successWithError }) => ({ value: successWithError, method: COUNT }),
  ),
]

/**
 * Finds the row of the same subject, sender and settings that was measured without a fault, as the evidence rules
 * require.
 */
export function findBaseline(row: BoardRow, { rows }: Pick<Board, 'rows'>): BoardRow | undefined {
  const key = identityOf(row)
  return rows.find(
    (other) =>
      !isStressRow(other) && identityOf(other) === key && isSameSetup(other.settings, row.settings),
  )
}

function identityOf({ subject, voucher, provenance }: BoardRow): string {
  return canonicalJson([subject, voucher === undefined ? provenance : voucher])
}
