import { groupBy } from './group-by.ts'
import type { Shard } from './names.ts'
import { isScored, type OutcomeStatus } from './outcome.ts'
import { type Arm, orderArms, type Plan, type PlannedTask } from './plan.ts'

/** A place in a plan for exactly one counted episode. */
export type Slot = {
  taskId: string
  taskDigest: string
  category: string
  repetition: number
  /** Absent = the plan has no arms. */
  arm?: string
}

/** The part of a plan that determines its slots. */
type PlannedSlots = {
  tasks: readonly PlannedTask[]
  repetitions: number
  arms?: readonly Arm[] | undefined
  settings: { seed: number | null }
}

/**
 * Lists the slots of a plan, repetition by repetition, so that an early stop leaves complete rounds over all tasks. A
 * shard takes every `count`-th slot; the shards of one plan are disjoint and together complete. The arms of a plan
 * follow each other task by task, and stay together in one shard.
 */
export function expandPlan(plan: PlannedSlots, shard: Shard = { index: 1, count: 1 }): Slot[] {
  if (plan.arms) return expandArms(plan, plan.arms, shard)
  const slots: Slot[] = []
  const usual = repetitionsOf(plan, {})
  const wanted = plan.tasks.map((task) => ({ task, repetitions: task.repetitions ?? usual }))
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

function expandArms(plan: PlannedSlots, arms: readonly Arm[], shard: Shard): Slot[] {
  const seed = plan.settings.seed ?? 0
  const wanted = plan.tasks.map((task) => ({ task, blocks: listBlocks(plan, task, arms.length) }))
  const rounds = Math.max(...wanted.map(({ blocks }) => blocks.length))
  const blocks: Slot[][] = []
  for (let round = 0; round < rounds; round++) {
    for (const { task, blocks: own } of wanted) {
      const found = own[round]
      if (found === undefined) continue
      const { taskId, digest: taskDigest, category } = task
      const order = orderArms(arms, { seed, taskId, block: found.block })
      blocks.push(
        found.repetitions.map((repetition) => {
          const arm = order[(repetition - 1) % order.length] ?? ''
          return { taskId, taskDigest, category, repetition, arm }
        }),
      )
    }
  }
  return blocks.filter((_, position) => position % shard.count === shard.index - 1).flat()
}

type Block = { block: number; repetitions: number[] }

/** Lists the repetitions of a task in blocks that contain every arm once. */
function listBlocks(plan: PlannedSlots, task: PlannedTask, size: number): Block[] {
  const blocks = new Map<number, Block>()
  for (const repetition of repetitionsOf(plan, task)) {
    const block = Math.ceil(repetition / size)
    const known = blocks.get(block) ?? { block, repetitions: [] }
    blocks.set(block, known)
    known.repetitions.push(repetition)
  }
  return [...blocks.values()]
}

/** Numbers of a task's planned repetitions, ascending, counted across all arms. */
export function repetitionsOf(
  plan: Pick<PlannedSlots, 'repetitions' | 'arms'>,
  task: Pick<PlannedTask, 'repetitions'>,
): readonly number[] {
  const length = plan.repetitions * (plan.arms?.length ?? 1)
  return task.repetitions ?? Array.from({ length }, (_, index) => index + 1)
}

/** The number of episodes in a plan. */
export function countSlots(plan: Omit<PlannedSlots, 'settings'>): number {
  const usual = plan.repetitions * (plan.arms?.length ?? 1)
  return plan.tasks.reduce((sum, task) => sum + (task.repetitions?.length ?? usual), 0)
}

/** The number of episodes of a run: those of its plan, or of its shard. */
export function countRunSlots(plan: PlannedSlots, shard: Shard | null): number {
  return shard ? expandPlan(plan, shard).length : countSlots(plan)
}

/** A slot's key inside one plan, also its folder name. */
export function slotKey(slot: Pick<Slot, 'taskId' | 'repetition'>): string {
  return `${slot.taskId}/${slot.repetition}`
}

type Attempt = { taskId: string; repetition: number; status: OutcomeStatus }

/**
 * Lists the slots that running the plan again would work on: never started, stopped, or void with attempts left. Scored
 * slots are final.
 */
export function listOpenSlots(plan: Plan, attempts: readonly Attempt[]): Slot[] {
  const bySlot = groupBy(attempts, slotKey)
  return expandPlan(plan).filter((slot) => {
    const own = (bySlot.get(slotKey(slot)) ?? []).map(({ status }) => status)
    if (own.some(isScored)) return false
    return own.filter((status) => status === 'void').length < plan.settings.maxAttempts
  })
}
