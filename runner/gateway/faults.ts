import { z } from 'zod'

const milliseconds = z.number().int().positive()
const bytes = z.number().int().nonnegative()

const when = {
  /** Hits the request that would become this step (1 = the first). */
  atStep: z.number().int().positive(),
  /** This many requests in a row … */
  times: z.number().int().positive().nullable(),
  /** … or all requests for this long after the first hit; both null = once. */
  forMs: milliseconds.nullable(),
}

/** A fault between agent and provider, defined before the run. */
const faultPlanSchema = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('rate-limit'),
    ...when,
    retryAfterSeconds: z.number().int().nonnegative(),
  }),
  z.object({ kind: z.literal('server-error'), ...when }),
  z.object({ kind: z.literal('overloaded'), ...when }),
  z.object({ kind: z.literal('cut-stream'), ...when, afterBytes: bytes }),
  z.object({
    kind: z.literal('stalled-stream'),
    ...when,
    afterBytes: bytes,
    limitMs: milliseconds,
  }),
  z.object({ kind: z.literal('malformed-event'), ...when }),
  z.object({ kind: z.literal('connection-reset'), ...when }),
  z.object({ kind: z.literal('hang'), ...when, limitMs: milliseconds }),
])
export type FaultPlan = z.infer<typeof faultPlanSchema>

type ParsedFault = { ok: true; value: FaultPlan } | { ok: false; problem: string }

export const FAULT_KINDS = faultPlanSchema.options.map(({ shape }) => shape.kind.value)

const FORM = /^([a-z-]+)@(\d{1,4})(?:x(\d{1,4})|for(\d{1,5})s)?((?:,[a-z-]+=\d+)*)$/
const DEFAULTS = { 'retry-after': 2, after: 200, limit: 30 }

/**
 * A fault as written in a plan: `rate-limit@2` hits the request for step 2 once, `server-error@1x3` three in a row,
 * `overloaded@2for10s` all for ten seconds after the first. Then, with commas: `retry-after=` and `limit=` in seconds,
 * `after=` in bytes.
 */
export function parseFault(text: string): ParsedFault {
  const match = FORM.exec(text.trim())
  const kind = FAULT_KINDS.find((known) => known === match?.[1])
  if (!match || !kind) {
    const problem = `"${text.slice(0, 60)}" is not a fault: write kind@step, as in rate-limit@2 or cut-stream@1x3; kinds are ${FAULT_KINDS.join(', ')}`
    return { ok: false, problem }
  }
  const [, , step, times, seconds, rest = ''] = match
  const given = new Map(rest.split(',').filter(Boolean).map(pairOf))
  const unknown = [...given.keys()].find((name) => !(name in DEFAULTS))
  if (unknown !== undefined)
    return { ok: false, problem: `a fault takes retry-after=, after= and limit=, not ${unknown}=` }
  const value = (name: keyof typeof DEFAULTS) => given.get(name) ?? DEFAULTS[name]
  const parsed = faultPlanSchema.safeParse({
    kind,
    atStep: Number(step),
    times: times === undefined ? null : Number(times),
    forMs: seconds === undefined ? null : Number(seconds) * 1000,
    retryAfterSeconds: value('retry-after'),
    afterBytes: value('after'),
    limitMs: value('limit') * 1000,
  })
  if (parsed.success) return { ok: true, value: parsed.data }
  const [issue] = parsed.error.issues
  return { ok: false, problem: `${issue?.path.join('.')}: ${issue?.message}` }
}

function pairOf(text: string): [string, number] {
  const [name = '', value] = text.split('=')
  return [name, Number(value)]
}

export type FiredFault = {
  kind: FaultPlan['kind']
  /** The step that was hit. */
  step: number
  /** Number of the call that was hit. */
  call: number
  /** ISO instant. */
  at: string
  /** The change of the response. */
  evidence: string
}

type Planned = { plan: FaultPlan; hits: number; firstHitMs: number | null }

/** The faults of one episode in order; decides which one hits the next request and records which fired. */
export class FaultLine {
  readonly #planned: Planned[]
  readonly fired: FiredFault[] = []

  constructor(plans: readonly FaultPlan[]) {
    this.#planned = plans.map((plan) => ({ plan, hits: 0, firstHitMs: null }))
  }

  /** Returns the fault for a request that would become `step`, or null; uses up one hit. */
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
