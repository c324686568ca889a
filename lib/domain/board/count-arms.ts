import { type AnyPlan, type EpisodeFact, expandPlan, isScored, listKinds } from '../record/index.ts'
import type { ArmCounts } from './board-row.ts'
import { activationOf } from './build-row.ts'
import { buildCountedFacts } from './counted-facts.ts'
import { countOwed, type StopDecision } from './decide-stop.ts'

/** Counts the attempts of each arm of a plan, in the plan's order, and those that it owes; a plan without arms has none. */
export function countArms(
  plan: AnyPlan,
  facts: readonly EpisodeFact[],
  stop: StopDecision | null,
): ArmCounts[] {
  if (!plan.arms) return []
  const slots = expandPlan(plan)
  return plan.arms.map(({ name }) => {
    const own = facts.filter(({ subject }) => subject.arm === name)
    const { counted } = buildCountedFacts(own)
    const activation = activationOf(listKinds(counted))
    return {
      arm: name,
      planned: countOwed(slots.filter(({ arm }) => arm === name).length, stop),
      attempts: own.length,
      scored: counted.filter(({ status }) => isScored(status)).length,
      solved: counted.filter(({ status }) => status === 'solved').length,
      voids: counted.filter(({ status }) => status === 'void').length,
      ...(activation && { activation }),
    }
  })
}
