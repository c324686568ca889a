import { z } from 'zod'
import { digestSchema } from '../record/digest.ts'
import { provenanceSchema } from '../record/episode-fact.ts'
import { shardSchema } from '../record/expand-plan.ts'
import { instantSchema, slugSchema } from '../record/names.ts'
import { digestPlan, planSchema, settingsSchema } from '../record/plan.ts'
import { subjectSchema } from '../record/subject.ts'

const runIdSchema = z.string().regex(/^run_[0-9a-z]{8,40}$/, 'is not the id of a run')

export const MOST_REGISTERED_RUNS = 1000

/** What `POST /api/v1/plans` takes. */
export const registrationRequestSchema = z.strictObject({
  /** The frozen plan, or its digest alone; with both they have to match. */
  plan: planSchema.optional(),
  planDigest: digestSchema.optional(),
  /** Runs that are owed under their ids; `shard` null or absent = the whole plan. */
  runs: z
    .array(z.strictObject({ runId: runIdSchema, shard: shardSchema.nullish() }))
    .max(MOST_REGISTERED_RUNS)
    .default([]),
  /** Runs that are owed in all; default: those in `runs`. */
  expected: z.number().int().min(1).max(MOST_REGISTERED_RUNS).optional(),
  /** True = the plan is registered already, and these runs are owed besides. */
  again: z.boolean().default(false),
  /** The sender's clock, so that a wrong one is told now and not after the runs. */
  sentAt: instantSchema.optional(),
})
export type RegistrationRequest = z.infer<typeof registrationRequestSchema>

/** Why a request makes no sense whatever is stored here, in one sentence; null = it does. `now` is the server's clock. */
export function refuseRequest(request: RegistrationRequest, now: Date): string | null {
  return refusePlan(request, now) ?? refuseRuns(request) ?? refuseClock(request, now)
}

function refusePlan({ plan, planDigest }: RegistrationRequest, now: Date): string | null {
  if (!plan) return planDigest ? null : 'send the frozen plan, or its planDigest'
  if (digestPlan(plan) !== plan.planDigest)
    return 'the plan does not match its digest: it was edited after it was frozen'
  if (planDigest && planDigest !== plan.planDigest)
    return `the plan has digest ${plan.planDigest}, and planDigest says ${planDigest}`
  if (Date.parse(plan.frozenAt) <= now.getTime() + CLOCK_TOLERANCE_MS) return null
  return `the plan says it was frozen at ${plan.frozenAt}, and it is ${now.toISOString()} here: set the clock of the machine and freeze it again`
}

function refuseRuns({ runs, expected }: RegistrationRequest): string | null {
  const ids = runs.map(({ runId }) => runId)
  const twice = ids.find((runId, index) => ids.indexOf(runId) !== index)
  if (twice) return `${twice} is named twice`
  const broken = runs.find(({ shard }) => shard && shard.index > shard.count)
  if (broken) return `${broken.runId} names a shard that does not exist`
  if (runs.length === 0 && expected === undefined)
    return 'say which runs are owed (runs), or how many (expected)'
  if (expected === undefined || expected >= runs.length) return null
  return `${runs.length} runs are named and only ${expected} expected: name fewer or expect more`
}

function refuseClock({ sentAt }: RegistrationRequest, now: Date): string | null {
  if (sentAt === undefined) return null
  const behindMs = now.getTime() - Date.parse(sentAt)
  if (Math.abs(behindMs) <= CLOCK_TOLERANCE_MS) return null
  const seconds = Math.round(Math.abs(behindMs) / 1000)
  return `the clock of the sending machine is ${seconds} s ${behindMs > 0 ? 'behind' : 'ahead of'} the server's (at most ${CLOCK_TOLERANCE_MS / 1000} s are allowed): set it, then register again`
}

/** A run that is owed under its id; `shard` null = the whole plan. */
export const registeredRunSchema = z.object({ runId: runIdSchema, shard: shardSchema.nullable() })
export type RegisteredRun = z.infer<typeof registeredRunSchema>

/** Of a plan, what decides which row its runs belong to; null in an entry = registered by its digest alone. */
export const registeredPlanSchema = z.object({
  suiteId: slugSchema,
  suiteDigest: digestSchema,
  subject: subjectSchema,
  settings: settingsSchema,
  frozenAt: instantSchema,
  episodes: z.number().int().positive(),
})

/** Who sent something and what came: a part of the ledger's hash. */
export const senderSchema = z.object({
  provenance: provenanceSchema,
  /** What tells one sender from another; see `voucherKey`. */
  voucher: z.string().min(1).max(700),
  /** For reading; see `publicName`. */
  name: z.string().min(1).max(700),
  /** Of the bytes that were sent; null = nothing was sent, it was made here. */
  bodyDigest: digestSchema.nullable(),
})
export type Sender = z.infer<typeof senderSchema>

/** Two machines' clocks may differ by this much: milliseconds by which an episode may seem to start before its registration. */
export const CLOCK_TOLERANCE_MS = 30_000
