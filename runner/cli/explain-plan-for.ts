import { priceUsage } from '#lib/domain/cost/price-usage.ts'
import type { FrozenPlan } from '#lib/domain/plan.ts'
import { type Explanation, explainPlan } from '#lib/domain/planner/explain-plan.ts'
import { countPool, findOwnRow } from '#lib/domain/planner/find-own-row.ts'
import type { Suite } from '#lib/domain/suite.ts'
import { readPast } from './read-past.ts'

/** Explains a plan with what earlier results on this machine, or those that were named, tell. */
export function explainPlanFor(
  plan: FrozenPlan,
  suite: Suite,
  { past: paths, concurrency }: { past?: string[]; concurrency: number },
): Explanation {
  const past = readPast(paths ?? null, suite)
  return explainPlan({
    plan,
    suite,
    own: findOwnRow(past.rows, plan.subject),
    rival: null,
    poolRows: countPool(past.rows, plan.subject),
    past: past.episodes,
    price: priceUsage,
    concurrency,
    now: plan.frozenAt,
  })
}
