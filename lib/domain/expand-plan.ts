import { z } from 'zod'
import type { Plan, PlannedTask } from './plan.ts'

/** One place in a plan that wants exactly one counted episode. */
export type Slot = { taskId: string; taskDigest: string; category: string; repetition: number }

export const shardSchema = z.object({
  index: z.number().int().positive(),
  count: z.number().int().positive(),
})
export type Shard = z.infer<typeof shardSchema>

/**
 * A plan as slots, repetition by repetition, so that an early stop leaves whole rounds over all tasks.
 * A shard takes every `count`-th slot; the shards of one plan are disjoint and together complete.
 */
export function expandPlan(plan: Plan, shard: Shard = { index: 1, count: 1 }): Slot[] {
  const slots: Slot[] = []
  const wanted = plan.tasks.map((task) => ({ task, repetitions: repetitionsOf(plan, task) }))
  const rounds = Math.max(...wanted.map(({ repetitions }) => repetitions.length))
  for (let round = 0; round < rounds; round++) {
    for (const { task, repetitions } of wanted) {
      const repetition = repetitions[round]
      const { taskId, digest: taskDigest, category } = task
      if (repetition !== undefined) slots.push({ taskId, taskDigest, category, repetition })
    }
  }
  return slots.filter((_, position) => position % shard.count === shard.index - 1)
}

/** Numbers of the repetitions that a plan wants of one of its tasks, ascending. */
export function repetitionsOf(
  plan: Pick<Plan, 'repetitions'>,
  task: PlannedTask,
): readonly number[] {
  return task.repetitions ?? Array.from({ length: plan.repetitions }, (_, index) => index + 1)
}

/** How many episodes a plan asks for. */
export function countSlots(plan: Plan): number {
  return plan.tasks.reduce((sum, task) => sum + repetitionsOf(plan, task).length, 0)
}

/** A slot's key inside one plan: also its folder name. */
export function slotKey(slot: Pick<Slot, 'taskId' | 'repetition'>): string {
  return `${slot.taskId}/${slot.repetition}`
}
