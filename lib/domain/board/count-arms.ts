import { z } from 'zod'
import { type AnyPlan, type EpisodeFact, expandPlan, isScored } from '../record/index.ts'
import { boardRowSchema } from './board-row.ts'
import { activationOf } from './build-row.ts'
import { buildCountedFacts } from './build-row-groups.ts'

const count = z.number().int().nonnegative()

/** How far one arm of a run is; each slot counts by its last attempt. */
export const armCountsSchema = z.object({
  arm: z.string(),
  planned: count,
  /** Attempts that were sealed, those that were retried included. */
  attempts: count,
  scored: count,
  solved: count,
  /** Slots whose last attempt is excluded from scoring. */
  voids: count,
  /** As in a row of the board, over the scored episodes of this run. */
  activation: boardRowSchema.shape.activation,
})
export type ArmCounts = z.infer<typeof armCountsSchema>

/** The counts of each arm of a plan, in the plan's order; a plan without arms has none. Pure. */
export function countArms(plan: AnyPlan, facts: readonly EpisodeFact[]): ArmCounts[] {
  if (!plan.arms) return []
  const slots = expandPlan(plan)
  return plan.arms.map(({ name }) => {
    const own = facts.filter(({ subject }) => subject.arm === name)
    const { counted } = buildCountedFacts(own)
    const activation = activationOf(counted)
    return {
      arm: name,
      planned: slots.filter(({ arm }) => arm === name).length,
      attempts: own.length,
      scored: counted.filter(({ status }) => isScored(status)).length,
      solved: counted.filter(({ status }) => status === 'solved').length,
      voids: counted.filter(({ status }) => status === 'void').length,
      ...(activation && { activation }),
    }
  })
}
