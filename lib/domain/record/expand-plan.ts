import { z } from 'zod'
import { isScored, type OutcomeStatus } from './outcome.ts'
import type { Plan, PlannedTask } from './plan.ts'

/** One place in a plan that wants exactly one counted episode. */
export type Slot = { taskId: string; taskDigest: string; category: string; repetition: number }

export const shardSchema = z.object({
  index: z.number().int().positive(),
  count: z.number().int().positive(),
})
export type Shard = z.infer<typeof shardSchema>

/** The part of any plan that names its slots. */
type PlannedSlots = { tasks: readonly PlannedTask[]; repetitions: number }

/**
 * A plan as slots, repetition by repetition, so that an early stop leaves whole rounds over all tasks.
 * A shard takes every `count`-th slot; the shards of one plan are disjoint and together complete.
 */
export function expandPlan(plan: PlannedSlots, shard: Shard = { index: 1, count: 1 }): Slot[] {
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
  plan: Pick<PlannedSlots, 'repetitions'>,
  task: PlannedTask,
): readonly number[] {
  return task.repetitions ?? Array.from({ length: plan.repetitions }, (_, index) => index + 1)
}

/** How many episodes a plan asks for. */
export function countSlots(plan: PlannedSlots): number {
  return plan.tasks.reduce((sum, task) => sum + repetitionsOf(plan, task).length, 0)
}

/** A slot's key inside one plan: also its folder name. */
export function slotKey(slot: Pick<Slot, 'taskId' | 'repetition'>): string {
  return `${slot.taskId}/${slot.repetition}`
}

type Attempt = { taskId: string; repetition: number; status: OutcomeStatus }

/**
 * The slots of a plan that running it again would work on: never begun, stopped, or void with tries left. What is scored
 * is settled, as the runner sees it.
 */
export function listOpenSlots(plan: Plan, attempts: readonly Attempt[]): Slot[] {
  const bySlot = new Map<string, OutcomeStatus[]>()
  for (const attempt of attempts) {
    const key = slotKey(attempt)
    bySlot.set(key, [...(bySlot.get(key) ?? []), attempt.status])
  }
  return expandPlan(plan).filter((slot) => {
    const own = bySlot.get(slotKey(slot)) ?? []
    if (own.some(isScored)) return false
    return own.filter((status) => status === 'void').length < plan.settings.maxAttempts
  })
}
