import type { BoardRow } from '../board/index.ts'
import { QUANTILE_METHOD } from '../statistics/index.ts'
import { present } from '../text/index.ts'
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

/** C: time of solved work. */
export const speedMeasure: AxisMeasure = {
  columns: [
    {
      id: 'solved-p50',
      title: 'Solved, p50',
      unit: 'ms',
      role: 'supporting',
      meaning: 'Median time of solved episodes.',
      read: (row) => solvedTime(row, row.solvedMs.p50),
    },
    {
      id: 'solved-p95',
      title: 'Solved, p95',
      unit: 'ms',
      role: 'supporting',
      meaning: '95th percentile of the time of solved episodes.',
      read: (row) => solvedTime(row, row.solvedMs.p95),
    },
    {
      id: 'solved-per-hour',
      title: 'Solved per hour',
      unit: 'per-hour',
      role: 'supporting',
      meaning: 'Successes per hour of agent or library time, failures included.',
      read: perHourValue,
    },
    {
      id: 'raw-p50',
      title: 'All episodes, p50',
      unit: 'ms',
      role: 'diagnostic',
      meaning: 'Time of all scored episodes. Fast failures lower it.',
      read: (row) => rawValue(row, row.raw.subjectMs.p50, QUANTILE_METHOD),
    },
    {
      id: 'raw-p95',
      title: 'All episodes, p95',
      unit: 'ms',
      role: 'diagnostic',
      meaning: 'Time of all scored episodes. Fast failures lower it.',
      read: (row) => rawValue(row, row.raw.subjectMs.p95, QUANTILE_METHOD),
    },
    browserColumn(
      {
        id: 'connect-p50',
        title: 'Connect, p50',
        unit: 'ms',
        meaning: 'Time until the library was connected; included in its time.',
      },
      ({ connectMs }) => ({ value: connectMs.p50 }),
    ),
    browserColumn(
      {
        id: 'peak-pss',
        title: 'Peak memory, p50',
        unit: 'bytes',
        meaning: 'Peak proportional set size of the process trees of browser and library.',
      },
      ({ peakPssBytes }) => ({ value: peakPssBytes }),
    ),
    browserColumn(
      {
        id: 'library-pss',
        title: 'Library memory, p50',
        unit: 'bytes',
        meaning: 'Peak proportional set size of the library’s process tree alone.',
      },
      ({ libraryPeakPssBytes }) => ({ value: libraryPeakPssBytes }),
    ),
  ],
  covers: (row) => !isStressRow(row),
  notes: ({ rows }) =>
    present([
      'Times exclude preparation, verification and sealing. Do not compare times from different machines.',
      rows.some(({ browser }) => browser) &&
        'Entries with a new browser for each episode are listed separately from entries that reset and reuse a browser.',
      NO_STRESS_NOTE,
    ]),
  absent: () => NO_ROWS,
}

function solvedTime({ tasks }: BoardRow, value: number | null): AxisValue {
  const withSuccess = tasks.filter(({ solved }) => solved > 0)
  if (value === null)
    return unknownValue(
      withSuccess.length === 0 ? 'No successes.' : 'Unknown for some solved episodes.',
    )
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

/** Inverse of the time per success; lower and upper bound swap. */
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

/** A: tokens per success. */
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
        title: 'Page output, tokens per success',
        unit: 'tokens',
        meaning: 'Output that the library returned to its driver, mean over solved episodes.',
      },
      ({ resultTokensPerSolved }, row) => perSolved(resultTokensPerSolved, row),
    ),
    browserColumn(
      {
        id: 'result-bytes',
        title: 'Page output, bytes per success',
        unit: 'bytes',
        meaning: 'The same output in bytes.',
      },
      ({ resultBytesPerSolved }, row) => perSolved(resultBytesPerSolved, row),
    ),
  ],
  covers: (row) => !isStressRow(row),
  notes: ({ rows }) =>
    present([
      'Tokens are counted by the agent or the gateway. One episode with unknown tokens makes the sum unknown.',
      rows.some(({ browser }) => browser) &&
        'Page output depends on the locator strategy and the driver. Compare it only within a section, not across ' +
          'sections.',
      NO_STRESS_NOTE,
    ]),
  absent: () => NO_ROWS,
}

function perSolved(value: number | null, { tasks }: BoardRow) {
  const episodes = tasks.reduce((sum, { solved }) => sum + solved, 0)
  return { value, episodes, method: 'mean over solved episodes; no interval' }
}

/** Episode token cost: of successes alone, and with failures included. */
export const costMeasure: AxisMeasure = {
  columns: [
    {
      id: 'expected-cost',
      title: 'Expected cost per success, failures included',
      unit: 'micro-usd',
      role: 'supporting',
      meaning: 'Total cost of scored episodes, failures included, per success.',
      read: (row) => valuePerSuccess(row, ({ costMicroUsd }) => costMicroUsd),
    },
    {
      id: 'solved-cost',
      title: 'Cost of a successful episode',
      unit: 'micro-usd',
      role: 'supporting',
      meaning: 'Mean cost of solved episodes.',
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
      meaning: 'Mean over all scored episodes, failures included. Cheap failures lower it.',
      read: (row) => rawValue(row, row.raw.costPerEpisodeMicroUsd),
    },
  ],
  covers: (row) => !isStressRow(row),
  notes: () => [
    'Cost is calculated from tokens with a dated price table, which each episode names. Unknown is not zero.',
    NO_STRESS_NOTE,
  ],
  absent: () => NO_ROWS,
}

/** F: not recorded in episodes; library measurements have their own table. */
export const developerExperienceMeasure: AxisMeasure = {
  columns: [],
  covers: () => false,
  notes: () => [],
  absent: () =>
    'No measurements yet. This axis covers lines of code, tool schemas and induced errors of libraries, which are ' +
    'measured separately from episodes. Agents have no integration code to count.',
}
