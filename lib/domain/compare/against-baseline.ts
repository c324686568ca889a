import type { BoardRow } from '../board/index.ts'
import {
  type CompareVerdict,
  type RowComparison,
  type SpendingRatio,
  spendingRatio,
  type TaskSpending,
} from '../statistics/index.ts'
import { formatPair, nameRows } from './format-comparison.ts'
import { normaliseComparison } from './normalise-comparison.ts'

/** A row compared with the baseline row. */
export type RowAgainst =
  | { kind: 'baseline' }
  | {
      kind: CompareVerdict['kind']
      /** Difference of success rates, row minus baseline, −1 to 1. */
      difference: number
      /** The comparison in one sentence. */
      text: string
      /**
       * Cost and time per success over common tasks, divided by the baseline's; null = one is unknown, or priced in
       * another way.
       */
      cost: SpendingRatio | null
      time: SpendingRatio | null
    }
  | { kind: 'refused'; text: string }

export type AgainstBaseline = Readonly<Record<string, RowAgainst>>

/** The compared rows by id, from the pairs that `compareSteps` returned for this baseline. */
export function againstBaseline(
  rows: readonly BoardRow[],
  baseline: BoardRow,
  compared: RowComparison,
): AgainstBaseline {
  const names = nameRows(rows)
  const baselineName = names.get(baseline.rowId) ?? baseline.rowId
  const tasks = new Map(compared.pairs.map(({ a, result }) => [a, countTasks(result)]))
  const against = rows.flatMap((row): [string, RowAgainst][] => {
    const common = tasks.get(row.rowId)
    if (common === undefined) return []
    const result = normaliseComparison(compared, row.rowId, baseline.rowId)
    const message = formatPair(names.get(row.rowId) ?? row.rowId, baselineName, { result })
    if (!result.ok) return [[row.rowId, { kind: 'refused', text: message }]]
    const { verdict, difference } = result
    const isPricedAlike = String(row.givenPrices ?? []) === String(baseline.givenPrices ?? [])
    const cost = isPricedAlike ? ratioOf(row, baseline, 'costMicroUsd') : null
    const time = ratioOf(row, baseline, 'subjectMs')
    return [[row.rowId, { kind: verdict.kind, difference, text: message, cost, time }]]
  })
  return Object.fromEntries([[baseline.rowId, { kind: 'baseline' }], ...against])
}

function countTasks(result: RowComparison['pairs'][number]['result']): number {
  return result.ok ? result.value.tasks.length : 0
}

function ratioOf(
  row: BoardRow,
  baseline: BoardRow,
  what: 'costMicroUsd' | 'subjectMs',
): SpendingRatio | null {
  const ratio = spendingRatio(spentOf(row, what), spentOf(baseline, what))
  return ratio.ok ? ratio.value : null
}

/** Spending of a row's scored episodes, by task. */
export function spentOf(
  { tasks }: Pick<BoardRow, 'tasks'>,
  what: 'costMicroUsd' | 'tokens' | 'subjectMs',
): TaskSpending[] {
  return tasks
    .filter(({ scored }) => scored > 0)
    .map(({ taskId, spent, solved }) => ({ taskId, spent: spent?.[what] ?? null, solved }))
}
