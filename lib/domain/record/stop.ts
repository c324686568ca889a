import { digestJson } from '../digest/index.ts'
import { countSlots, expandPlan, type Slot } from './expand-plan.ts'
import { isBaselineName, type Plan, type PlanDraft } from './plan.ts'

/** The two sides that a stopping rule compares: its verdict says what `a` is beside `b`. */
export type StopSide = 'a' | 'b'

type Stopping = Pick<Plan, 'tasks' | 'repetitions' | 'arms' | 'topUpOf' | 'stop'>

/** Why a plan's stopping rule cannot be applied, as a sentence; null = it can, or the plan has none. */
export function refuseStop(plan: Stopping): string | null {
  const { stop, arms, topUpOf, tasks } = plan
  if (stop === undefined) return null
  const isPair = stop.pair !== undefined
  if (isPair ? arms !== undefined : arms?.length !== 2)
    return 'a plan that stops when decided has two sides: name one arm beside the baseline'
  if (topUpOf || tasks.some(({ repetitions }) => repetitions !== undefined))
    return 'a top-up cannot stop when decided: freeze a new plan'
  const all = countSlots(plan) * (isPair ? 2 : 1)
  const isRising = stop.looks.every(
    (look, index) => look % 2 === 0 && look > (stop.looks[index - 1] ?? 0),
  )
  if (!isRising || stop.looks.at(-1) !== all || (stop.looks[0] ?? 0) < 2 * tasks.length)
    return 'the looks of a plan that stops when decided rise from one attempt of each task by both sides to all episodes'
  return null
}

/** The arm of each side; the baseline is always `b`. */
function stopArms({ arms = [] }: Pick<Plan, 'arms'>): Record<StopSide, string> {
  const [first = '', second = ''] = arms.map(({ name }) => name)
  return isBaselineName(first) ? { a: second, b: first } : { a: first, b: second }
}

/** The side of an entry of a stopping plan; null = it has none. */
export function stopSideOf(plan: Stopping, arm: string | undefined): StopSide | null {
  if (plan.stop?.pair) return plan.stop.pair.side
  const sides = stopArms(plan)
  if (arm === undefined) return null
  return arm === sides.a ? 'a' : arm === sides.b ? 'b' : null
}

/** The slots of one side in the order in which the plan runs them: look `n` uses the first n/2 of each side. */
export function stopSlots(
  plan: Stopping & Pick<Plan, 'settings'>,
  side: StopSide,
): readonly Slot[] {
  const slots = expandPlan(plan)
  if (plan.stop?.pair) return slots
  const arm = stopArms(plan)[side]
  return slots.filter((slot) => slot.arm === arm)
}

/** Covers both plans of a pair, so that neither can be stopped by the results of a third. */
export function digestPair(a: PlanDraft, b: PlanDraft): ReturnType<typeof digestJson> {
  return digestJson([a, b].map(withoutStop))
}

/** The parts of a plan that the digest of its pair covers. */
function withoutStop(plan: PlanDraft & Partial<Plan>) {
  const { stop: _, planDigest: __, frozenAt: ___, schemaVersion: ____, ...draft } = plan
  return draft
}
