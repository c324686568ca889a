import {
  type AxisMeasure,
  isStressRow,
  NO_ROWS,
  NO_STRESS_NOTE,
  successColumn,
} from '../axis-measure.ts'
import { rawValue } from '../raw-value.ts'
import { valuePerSuccess } from '../value-per-success.ts'

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
