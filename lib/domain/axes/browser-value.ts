import type { BoardRow } from '../board/board-row.ts'
import type { BrowserFigures } from '../board/browser-figures.ts'
import { QUANTILE_METHOD } from '../statistics/quantile.ts'
import { type MeasuredColumn, unknownValue } from './axis-measure.ts'
import type { AxisColumn, AxisValue } from './axis-report.ts'

type Reading = { value: number | null; episodes?: number; method?: string }

/** A diagnostic column about browser episodes; `read` picks the figure, with what it was counted over. */
export function browserColumn(
  column: Pick<AxisColumn, 'id' | 'title' | 'unit' | 'meaning'>,
  read: (figures: BrowserFigures, row: BoardRow) => Reading,
): MeasuredColumn {
  return {
    ...column,
    role: 'diagnostic',
    onlyFor: 'browser',
    read: (row) =>
      row.browser ? toValue(row, read(row.browser, row)) : unknownValue('No browser took part.'),
  }
}

function toValue(row: BoardRow, { value, episodes, method }: Reading): AxisValue {
  if (value === null) return unknownValue('Not known of these episodes.')
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

const COUNT = 'a count over scored episodes, no interval'

/** What the library said beside what the contract said. */
export const CONTRADICTION_COLUMNS: readonly MeasuredColumn[] = [
  browserColumn(
    {
      id: 'false-success',
      title: 'False successes',
      unit: 'count',
      meaning:
        'Episodes in which the library came to its end without an error and the final contract failed.',
    },
    ({ falseSuccess }) => ({ value: falseSuccess, method: COUNT }),
  ),
  browserColumn(
    {
      id: 'success-with-error',
      title: 'Successes with an error',
      unit: 'count',
      meaning:
        'Episodes in which the library’s part ended with an error and the final contract passed all the same.',
    },
    ({ successWithError }) => ({ value: successWithError, method: COUNT }),
  ),
]
