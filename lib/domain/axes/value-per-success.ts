import type { BoardRow, RowTask } from '../board/board-row.ts'
import { costPerSuccess } from '../statistics/cost-per-success.ts'
import { UNKNOWN_SPENDING, unknownValue } from './axis-measure.ts'
import type { AxisValue } from './axis-report.ts'

type Spent = NonNullable<RowTask['spent']>

/**
 * All that a row's scored episodes spent per success, with the task bootstrap's interval. `read` picks what is spent;
 * an unknown part makes the whole unknown.
 */
export function valuePerSuccess(row: BoardRow, read: (spent: Spent) => number | null): AxisValue {
  const spending = row.tasks.flatMap(({ taskId, solved, scored, spent }) => {
    if (scored === 0) return []
    return [{ taskId, solved, spent: spent ? read(spent) : null }]
  })
  const answer = costPerSuccess(spending)
  if (!answer.ok) {
    const isUnknown = answer.refusal.code === 'unknown-cost'
    return unknownValue(isUnknown ? UNKNOWN_SPENDING : answer.refusal.reason)
  }
  const { value, low, high, tasks, method } = answer.value
  return { value, low, high, tasks, episodes: row.success.attempts, method }
}
