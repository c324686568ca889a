import type { FaultPlan } from './fault-plan.ts'

export type FiredFault = {
  kind: FaultPlan['kind']
  /** The step that was hit. */
  step: number
  /** Number of the call that was hit. */
  call: number
  /** ISO instant. */
  at: string
  /** What was done to the answer. */
  evidence: string
}

type Planned = { plan: FaultPlan; hits: number; firstHitMs: number | null }

/** The faults of one episode in their order; tells which one hits the next request and keeps what fired. */
export class FaultLine {
  readonly #planned: Planned[]
  readonly fired: FiredFault[] = []

  constructor(plans: readonly FaultPlan[]) {
    this.#planned = plans.map((plan) => ({ plan, hits: 0, firstHitMs: null }))
  }

  /** The fault for a request that would become `step`, or null; taking it uses up one hit. */
  take(step: number, nowMs: number): FaultPlan | null {
    const hit = this.#planned.find((planned) => isDue(planned, step, nowMs))
    if (!hit) return null
    hit.hits += 1
    hit.firstHitMs ??= nowMs
    return hit.plan
  }

  record(fired: FiredFault): void {
    this.fired.push(fired)
  }
}

function isDue({ plan, hits, firstHitMs }: Planned, step: number, nowMs: number): boolean {
  if (firstHitMs === null) return step >= plan.atStep
  if (plan.forMs !== null) return nowMs - firstHitMs < plan.forMs
  return hits < (plan.times ?? 1)
}
