import type { BoardRow } from '../board/board-row.ts'
import { QUANTILE_METHOD } from '../statistics/distributions.ts'
import {
  type AxisMeasure,
  browserColumn,
  isStressRow,
  NO_ROWS,
  NO_STRESS_NOTE,
  rawValue,
  successColumn,
  unknownValue,
  valuePerSuccess,
} from './axis-measure.ts'
import type { AxisValue } from './axis-report.ts'

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

/** A: what a success takes in tokens. */
export const tokensMeasure: AxisMeasure = {
  columns: [
    {
      id: 'tokens-per-success',
      title: 'Tokens per success',
      unit: 'tokens',
      role: 'supporting',
      meaning: 'All input and output tokens of scored episodes, failures included, per success.',
      read: (row) => valuePerSuccess(row, ({ tokens }) => tokens),
    },
    successColumn,
    {
      id: 'tokens-per-episode',
      title: 'Tokens per episode',
      unit: 'tokens',
      role: 'diagnostic',
      meaning: 'Mean over all scored episodes, failures included.',
      read: (row) => rawValue(row, row.raw.tokensPerEpisode),
    },
    {
      id: 'steps-per-episode',
      title: 'Steps per episode',
      unit: 'steps',
      role: 'diagnostic',
      meaning: 'Mean over all scored episodes, failures included.',
      read: (row) => rawValue(row, row.raw.stepsPerEpisode),
    },
    browserColumn(
      {
        id: 'result-tokens',
        title: 'Page shown, tokens per success',
        unit: 'tokens',
        meaning: 'What the library gave back to whoever drives it, mean over the solved episodes.',
      },
      ({ resultTokensPerSolved }, row) => perSolved(resultTokensPerSolved, row),
    ),
    browserColumn(
      {
        id: 'result-bytes',
        title: 'Page shown, bytes per success',
        unit: 'bytes',
        meaning: 'The same text in bytes.',
      },
      ({ resultBytesPerSolved }, row) => perSolved(resultBytesPerSolved, row),
    ),
  ],
  covers: (row) => !isStressRow(row),
  notes: ({ rows }) => [
    'Tokens are known where the subject or the gateway counted them; one unknown episode makes the sum unknown.',
    ...(rows.some(({ browser }) => browser)
      ? [
          'What a library shows of a page depends on how it points at elements and on who drives it: such figures are ' +
            'read within a section and never across sections.',
        ]
      : []),
    NO_STRESS_NOTE,
  ],
  absent: () => NO_ROWS,
}

function perSolved(value: number | null, { tasks }: BoardRow) {
  const episodes = tasks.reduce((sum, { solved }) => sum + solved, 0)
  return { value, episodes, method: 'mean over solved episodes; no interval is given' }
}

/** Episode token cost: of a success alone, and with the failures on the way. */
export const costMeasure: AxisMeasure = {
  columns: [
    {
      id: 'expected-cost',
      title: 'Expected cost per success, failures included',
      unit: 'micro-usd',
      role: 'supporting',
      meaning: 'All cost of scored episodes, failures included, per success.',
      read: (row) => valuePerSuccess(row, ({ costMicroUsd }) => costMicroUsd),
    },
    {
      id: 'solved-cost',
      title: 'Cost of a successful episode',
      unit: 'micro-usd',
      role: 'supporting',
      meaning: 'Mean cost of the solved episodes alone.',
      read: (row) => {
        const value = valuePerSuccess(row, ({ solvedCostMicroUsd }) => solvedCostMicroUsd)
        const solved = row.tasks.reduce((sum, task) => sum + task.solved, 0)
        return { ...value, episodes: value.value === null ? null : solved }
      },
    },
    successColumn,
    {
      id: 'cost-per-episode',
      title: 'Cost per episode',
      unit: 'micro-usd',
      role: 'diagnostic',
      meaning:
        'Mean over all scored episodes, failures included: a cheap failure makes it smaller.',
      read: (row) => rawValue(row, row.raw.costPerEpisodeMicroUsd),
    },
  ],
  covers: (row) => !isStressRow(row),
  notes: () => [
    'Cost is counted from tokens by a dated price table that each episode names; unknown is not zero.',
    NO_STRESS_NOTE,
  ],
  absent: () => NO_ROWS,
}

/** F: no episode records it; what is measured of libraries themselves stands in a table of its own. */
export const developerExperienceMeasure: AxisMeasure = {
  columns: [],
  covers: () => false,
  notes: () => [],
  absent: () =>
    'Nothing is measured of this axis yet: it takes lines of code, tool schemas and induced errors of libraries, which ' +
    'no episode records. For agents there is no integration code to count.',
}
