import { z } from 'zod'
import { digestSchema } from '../digest/index.ts'
import {
  digestPlan,
  instantSchema,
  planSchema,
  refuseBaseline,
  refuseStop,
  refuseTwice,
  shardSchema,
} from '../record/index.ts'
import { countOf } from '../text/index.ts'
import { CLOCK_TOLERANCE_MS, MAX_REGISTERED_RUNS, registeredRunSchema } from './ledger-entry.ts'

/** Body of `POST /api/v1/plans`. */
export const registrationRequestSchema = z.strictObject({
  /** The frozen plan, or its digest alone; with both they have to match. */
  plan: planSchema.optional(),
  planDigest: digestSchema.optional(),
  /** Registered runs by id; `shard` null or absent = the entire plan. */
  runs: z
    .array(z.strictObject({ runId: registeredRunSchema.shape.runId, shard: shardSchema.nullish() }))
    .max(MAX_REGISTERED_RUNS)
    .default([]),
  /** Total number of registered runs; default: those in `runs`. */
  expected: z.number().int().min(1).max(MAX_REGISTERED_RUNS).optional(),
  /** True = the plan is already registered, and these runs are added. */
  again: z.boolean().default(false),
  /** The sender's clock, to detect a wrong one before the runs start. */
  sentAt: instantSchema.optional(),
})
export type RegistrationRequest = z.infer<typeof registrationRequestSchema>

/**
 * Returns why a request is invalid regardless of stored data, in one sentence; null = valid. `now` is the server's
 * clock.
 */
export function refuseRequest(request: RegistrationRequest, now: Date): string | null {
  return refusePlan(request, now) ?? refuseRuns(request) ?? refuseClock(request, now)
}

function refusePlan({ plan, planDigest }: RegistrationRequest, now: Date): string | null {
  if (!plan) return planDigest ? null : 'send the frozen plan, or its planDigest'
  if (digestPlan(plan) !== plan.planDigest)
    return 'the plan does not match its digest: it was edited after it was frozen'
  if (planDigest && planDigest !== plan.planDigest)
    return `the plan has digest ${plan.planDigest}, but planDigest is ${planDigest}`
  const refused = refuseTwice(plan) ?? refuseBaseline(plan) ?? refuseStop(plan)
  if (refused) return refused
  if (Date.parse(plan.frozenAt) <= now.getTime() + CLOCK_TOLERANCE_MS) return null
  return `the plan was frozen at ${plan.frozenAt}, which is in the future (server time ${now.toISOString()}): correct the clock of your machine and freeze the plan again`
}

function refuseRuns({ runs, expected }: RegistrationRequest): string | null {
  const ids = runs.map(({ runId }) => runId)
  const twice = ids.find((runId, index) => ids.indexOf(runId) !== index)
  if (twice) return `${twice} is listed twice`
  const broken = runs.find(({ shard }) => shard && shard.index > shard.count)
  if (broken) return `${broken.runId} has a shard that does not exist`
  if (runs.length === 0 && expected === undefined)
    return 'list the runs to register (runs) or their number (expected)'
  if (expected === undefined || expected >= runs.length) return null
  return `${countOf(runs.length, 'run is', 'runs are')} listed, but expected is ${expected}: list fewer runs or increase expected`
}

function refuseClock({ sentAt }: RegistrationRequest, now: Date): string | null {
  if (sentAt === undefined) return null
  const behindMs = now.getTime() - Date.parse(sentAt)
  if (Math.abs(behindMs) <= CLOCK_TOLERANCE_MS) return null
  const seconds = Math.round(Math.abs(behindMs) / 1000)
  return `the clock of your machine is ${seconds} s ${behindMs > 0 ? 'behind' : 'ahead of'} the server's (limit ${CLOCK_TOLERANCE_MS / 1000} s): correct it and register again`
}
