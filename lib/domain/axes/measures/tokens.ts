import {
  type AxisMeasure,
  isStressRow,
  NO_ROWS,
  NO_STRESS_NOTE,
  successColumn,
} from '../axis-measure.ts'
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
  ],
  covers: (row) => !isStressRow(row),
  notes: () => [
    'Tokens are known where the subject or the gateway counted them; one unknown episode makes the sum unknown.',
    NO_STRESS_NOTE,
  ],
  absent: () => NO_ROWS,
}
