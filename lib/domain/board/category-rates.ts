import type { Task } from '../tasks/index.ts'
import type { BoardRow } from './board-row.ts'

/** Mean success over the tasks of one category, 0–1, and how many of them were scored. */
export type CategoryRate = { category: string; rate: number; tasks: number; episodes: number }

/** A row's success by category, in the order of the suite's tasks; categories without a scored task are left out. */
export function categoryRates(
  { tasks }: Pick<BoardRow, 'tasks'>,
  suiteTasks: readonly Pick<Task, 'taskId' | 'category'>[],
): CategoryRate[] {
  const categories = new Map<string, { sum: number; tasks: number; episodes: number }>()
  const counts = new Map(tasks.map((task) => [task.taskId, task]))
  for (const { taskId, category } of suiteTasks) {
    const count = counts.get(taskId)
    if (!count || count.scored === 0) continue
    const before = categories.get(category) ?? { sum: 0, tasks: 0, episodes: 0 }
    categories.set(category, {
      sum: before.sum + count.solved / count.scored,
      tasks: before.tasks + 1,
      episodes: before.episodes + count.scored,
    })
  }
  return [...categories].map(([category, { sum, tasks: n, episodes }]) => {
    return { category, rate: sum / n, tasks: n, episodes }
  })
}
