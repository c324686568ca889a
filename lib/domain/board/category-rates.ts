import type { Task } from '../tasks/index.ts'
import type { BoardRow, RowTask } from './board-row.ts'
import { formatShape } from './row-words.ts'
import { successRate } from './success-rate.ts'

/** Mean success over the tasks of one category with its interval, 0–1, and the number of scored tasks. */
export type CategoryRate = {
  category: string
  rate: number
  low: number
  high: number
  tasks: number
  /** Tasks × repetitions, `4 × 3–5`. */
  shape: string
}

/**
 * Returns a row's success by category, in the order of the suite's tasks; categories without a scored task are left
 * out.
 */
export function categoryRates(
  { tasks, looks }: Pick<BoardRow, 'tasks' | 'looks'>,
  suiteTasks: readonly Pick<Task, 'taskId' | 'category'>[],
): CategoryRate[] {
  const categories = new Map<string, RowTask[]>()
  const counts = new Map(tasks.map((task) => [task.taskId, task]))
  for (const { taskId, category } of suiteTasks) {
    const count = counts.get(taskId)
    if (!count || count.scored === 0) continue
    categories.set(category, [...(categories.get(category) ?? []), count])
  }
  return [...categories].flatMap(([category, own]) => {
    const found = successRate(own, looks?.confidence)
    const { rate, low, high } = found
    if (rate === null || low === null || high === null) return []
    const scored = own.map((task) => task.scored)
    const repetitions = { least: Math.min(...scored), most: Math.max(...scored) }
    const shape = formatShape({ success: found, repetitions })
    return [{ category, rate, low, high, tasks: found.tasks, shape }]
  })
}
