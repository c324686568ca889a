import type { BoardRow } from '../board/index.ts'
import type { CompareVerdict, RowComparison } from '../statistics/index.ts'
import { formatPair, nameRows } from './format-comparison.ts'
import { normaliseComparison } from './normalise-comparison.ts'

/** A row against the row that was chosen as baseline. */
export type RowAgainst =
  | { kind: 'baseline' }
  | {
      kind: CompareVerdict['kind']
      /** Of success rates, row minus baseline, −1 to 1. */
      difference: number
      /** The comparison in one sentence. */
      said: string
      /** Cost per success and median time of the solved episodes, divided by the baseline's; null = one is unknown. */
      cost: number | null
      time: number | null
    }
  | { kind: 'refused'; said: string }

export type AgainstBaseline = Readonly<Record<string, RowAgainst>>

/** The compared rows by id, from the pairs that `compareSteps` made with this baseline. */
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
    const said = formatPair(names.get(row.rowId) ?? row.rowId, baselineName, { result, common })
    if (!result.ok) return [[row.rowId, { kind: 'refused', said }]]
    const { verdict, difference } = result
    const cost = ratio(row.costPerSuccessMicroUsd, baseline.costPerSuccessMicroUsd)
    const time = ratio(row.solvedMs.p50, baseline.solvedMs.p50)
    return [[row.rowId, { kind: verdict.kind, difference, said, cost, time }]]
  })
  return Object.fromEntries([[baseline.rowId, { kind: 'baseline' }], ...against])
}

function countTasks(result: RowComparison['pairs'][number]['result']): number {
  return result.ok ? result.value.tasks.length : 0
}

function ratio(value: number | null, base: number | null): number | null {
  return value === null || base === null || base === 0 ? null : value / base
}
