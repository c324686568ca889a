import type { Plan } from './plan.ts'

/** One place in a plan that wants exactly one counted episode. */
export type Slot = { taskId: string; taskDigest: string; category: string; repetition: number }

export type Shard = { index: number; count: number }

/**
 * A plan as slots, repetition by repetition, so that an early stop leaves whole rounds over all tasks.
 * A shard takes every `count`-th slot; the shards of one plan are disjoint and together complete.
 */
export function expandPlan(plan: Plan, shard: Shard = { index: 1, count: 1 }): Slot[] {
  const slots: Slot[] = []
  for (let repetition = 1; repetition <= plan.repetitions; repetition++) {
    for (const task of plan.tasks) {
      const { taskId, digest: taskDigest, category } = task
      slots.push({ taskId, taskDigest, category, repetition })
    }
  }
  return slots.filter((_, position) => position % shard.count === shard.index - 1)
}

/** A slot's key inside one plan: also its folder name. */
export function slotKey(slot: Pick<Slot, 'taskId' | 'repetition'>): string {
  return `${slot.taskId}/${slot.repetition}`
}
