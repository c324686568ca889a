import type { BoardRow } from '../../board/board-row.ts'
import { QUANTILE_METHOD } from '../../statistics/quantile.ts'
import {
  type AxisMeasure,
  isStressRow,
  NO_ROWS,
  NO_STRESS_NOTE,
  unknownValue,
} from '../axis-measure.ts'
import type { AxisValue } from '../axis-report.ts'
import { browserColumn } from '../browser-value.ts'
import { rawValue } from '../raw-value.ts'
import { valuePerSuccess } from '../value-per-success.ts'

const HOUR_MS = 3_600_000

/** C: the time of solved work. */
export const speedMeasure: AxisMeasure = {
  columns: [
    {
      id: 'solved-p50',
      title: 'Solved, p50',
      unit: 'ms',
      role: 'supporting',
      meaning: 'Half of the solved episodes took the subject at most this long.',
      read: (row) => solvedTime(row, row.solvedMs.p50),
    },
    {
      id: 'solved-p95',
      title: 'Solved, p95',
      unit: 'ms',
      role: 'supporting',
      meaning: 'Nineteen of twenty solved episodes took the subject at most this long.',
      read: (row) => solvedTime(row, row.solvedMs.p95),
    },
    {
      id: 'solved-per-hour',
      title: 'Solved per hour',
      unit: 'per-hour',
      role: 'supporting',
      meaning: 'Successes per hour of subject time; the time of failures counts too.',
      read: perHourValue,
    },
    {
      id: 'raw-p50',
      title: 'Any ending, p50',
      unit: 'ms',
      role: 'diagnostic',
      meaning: 'Subject time over all scored episodes: a fast failure makes it smaller.',
      read: (row) => rawValue(row, row.raw.subjectMs.p50, QUANTILE_METHOD),
    },
    {
      id: 'raw-p95',
      title: 'Any ending, p95',
      unit: 'ms',
      role: 'diagnostic',
      meaning: 'Subject time over all scored episodes: a fast failure makes it smaller.',
      read: (row) => rawValue(row, row.raw.subjectMs.p95, QUANTILE_METHOD),
    },
    browserColumn(
      {
        id: 'connect-p50',
        title: 'Connect, p50',
        unit: 'ms',
        meaning: 'Time until the library had its connection; part of the subject’s time.',
      },
      ({ connectMs }) => ({ value: connectMs.p50 }),
    ),
    browserColumn(
      {
        id: 'peak-pss',
        title: 'Peak memory, p50',
        unit: 'bytes',
        meaning:
          'Proportional set size of the browser’s and the library’s process trees at its peak.',
      },
      ({ peakPssBytes }) => ({ value: peakPssBytes }),
    ),
    browserColumn(
      {
        id: 'library-pss',
        title: 'Of it the library’s',
        unit: 'bytes',
        meaning: 'Peak proportional set size of the library’s process tree alone.',
      },
      ({ libraryPeakPssBytes }) => ({ value: libraryPeakPssBytes }),
    ),
  ],
  covers: (row) => !isStressRow(row),
  notes: ({ rows }) => [
    'Time is the subject’s own: preparing, checking and sealing are not in it. Rows from different machines cannot be ' +
      'compared by it.',
    ...(rows.some(({ browser }) => browser)
      ? [
          'Rows with a browser that is launched for each episode stand apart from rows whose browser is reset and used again.',
        ]
      : []),
    NO_STRESS_NOTE,
  ],
  absent: () => NO_ROWS,
}

function solvedTime({ tasks }: BoardRow, value: number | null): AxisValue {
  if (value === null) return unknownValue('No success.')
  const withSuccess = tasks.filter(({ solved }) => solved > 0)
  const episodes = withSuccess.reduce((sum, { solved }) => sum + solved, 0)
  return {
    value,
    low: null,
    high: null,
    tasks: withSuccess.length,
    episodes,
    method: QUANTILE_METHOD,
  }
}

/** The time one success takes, turned round; its bounds change places. */
function perHourValue(row: BoardRow): AxisValue {
  const time = valuePerSuccess(row, ({ subjectMs }) => subjectMs)
  if (time.value === null || time.value === 0)
    return { ...time, value: null, low: null, high: null }
  return {
    ...time,
    value: HOUR_MS / time.value,
    low: time.high === null ? 0 : perHour(time.high),
    high: time.low === null ? null : perHour(time.low),
  }
}

function perHour(ms: number): number | null {
  return ms === 0 ? null : HOUR_MS / ms
}
