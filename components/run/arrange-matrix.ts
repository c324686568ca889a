import { repetitionsOf } from '#lib/domain/expand-plan.ts'
import type { Plan } from '#lib/domain/plan.ts'
import type { EpisodeCell } from '#lib/domain/views/run-view.ts'

/** A planned episode: its last attempt, and how many there were. */
export type Slot = { repetition: number; last: EpisodeCell | null; attempts: number }
export type MatrixRow = { taskId: string; category: string; slots: Slot[] }

/** Every planned slot in the plan's order, filled with what is sealed. */
export function arrangeMatrix(
  plan: Pick<Plan, 'tasks' | 'repetitions'>,
  episodes: readonly EpisodeCell[],
): MatrixRow[] {
  const bySlot = new Map<string, EpisodeCell[]>()
  for (const cell of episodes) {
    const key = slotKey(cell.taskId, cell.repetition)
    bySlot.set(key, [...(bySlot.get(key) ?? []), cell])
  }
  return plan.tasks.map((task) => ({
    taskId: task.taskId,
    category: task.category,
    slots: repetitionsOf(plan, task).map((repetition) => {
      const attempts = bySlot.get(slotKey(task.taskId, repetition)) ?? []
      const last = attempts.reduce<EpisodeCell | null>(later, null)
      return { repetition, last, attempts: attempts.length }
    }),
  }))
}

function later(best: EpisodeCell | null, cell: EpisodeCell): EpisodeCell {
  return best && best.attempt > cell.attempt ? best : cell
}

function slotKey(taskId: string, repetition: number): string {
  return `${taskId} ${repetition}`
}
