import type { BoardRow } from '../../board/board-row.ts'
import {
  type AxisMeasure,
  isStressRow,
  NO_ROWS,
  NO_STRESS_NOTE,
  successColumn,
} from '../axis-measure.ts'
import { browserColumn } from '../browser-value.ts'
import { rawValue } from '../raw-value.ts'
import { valuePerSuccess } from '../value-per-success.ts'

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
