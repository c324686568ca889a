import { z } from 'zod'
import { type Digest, digestJson, digestSchema } from './digest.ts'
import { durationMsSchema, instantSchema, slugSchema } from './names.ts'
import { subjectSchema } from './subject.ts'

/** Settings pinned before the first episode starts. Null = no limit was asked for, or it does not apply. */
export const settingsSchema = z.object({
  timeoutMs: durationMsSchema,
  maxSteps: z.number().int().positive().nullable(),
  maxTokens: z.number().int().positive().nullable(),
  maxCostMicroUsd: z.number().int().positive().nullable(),
  temperature: z.union([z.number(), z.literal('provider-fixed')]).nullable(),
  isolation: z.enum(['local', 'bubblewrap', 'docker']),
  /** Bytes a subject may leave in its workspace and HOME together. */
  diskQuotaBytes: z.number().int().positive(),
  /** A void attempt is tried again at most this often in all. */
  maxAttempts: z.number().int().min(1).max(10),
  /** Seeds whatever the harness itself draws by chance (the flaky control). */
  seed: z.number().int().nonnegative(),
  /** A fault broken on purpose into every episode, as `rate-limit@2`; absent = none. */
  fault: z.string().min(1).max(200).optional(),
  /** Browser suites: one browser that is reset and used again, or a new one each episode; absent elsewhere. */
  browser: z.enum(['reused', 'cold']).optional(),
})
export type Settings = z.infer<typeof settingsSchema>

/** The settings of a row as far as they are known: another program may not report all of its own. Null = not reported. */
export const rowSettingsSchema = settingsSchema.extend({
  timeoutMs: settingsSchema.shape.timeoutMs.nullable(),
  isolation: settingsSchema.shape.isolation.nullable(),
  diskQuotaBytes: settingsSchema.shape.diskQuotaBytes.nullable(),
  maxAttempts: settingsSchema.shape.maxAttempts.nullable(),
  seed: settingsSchema.shape.seed.nullable(),
})
export type RowSettings = z.infer<typeof rowSettingsSchema>

export const plannedTaskSchema = z.object({
  taskId: slugSchema,
  digest: digestSchema,
  category: z.string(),
  /** Only these repetitions, by number, ascending: a top-up. Absent = 1 to the plan's `repetitions`. */
  repetitions: z.array(z.number().int().min(1).max(100_000)).min(1).max(1000).optional(),
})
export type PlannedTask = z.infer<typeof plannedTaskSchema>

/** What a plan that tops up a row adds to: its runs' void and missing episodes count as replaced by this plan's. */
export const topUpSchema = z.object({ rowId: z.string(), runIds: z.array(z.string()).min(1) })

/** A frozen request: suite × subject × repetitions and pinned settings. `planDigest` covers all but itself and `frozenAt`. */
export const planSchema = z.object({
  schemaVersion: z.literal(1),
  planDigest: digestSchema,
  frozenAt: instantSchema,
  suiteId: slugSchema,
  suiteDigest: digestSchema,
  tasks: z.array(plannedTaskSchema).min(1).max(10_000),
  subject: subjectSchema,
  /** How to start a subject that no definition names: the shell command of an ad-hoc agent. */
  command: z.string().max(10_000).nullable(),
  repetitions: z.number().int().min(1).max(1000),
  settings: settingsSchema,
  policyVersion: z.number().int().positive(),
  topUpOf: topUpSchema.optional(),
})
export type Plan = z.infer<typeof planSchema>

export type PlanDraft = Omit<Plan, 'planDigest' | 'frozenAt' | 'schemaVersion'>

/** Freezes a draft: from here on any change of it shows in the digest. */
export function freezePlan(draft: PlanDraft, { now }: { now: string }): Plan {
  const plan = { schemaVersion: 1 as const, ...draft }
  return { ...plan, planDigest: digestJson(plan), frozenAt: now }
}

/** The digest a plan should carry; differs from `plan.planDigest` when the file was edited after freezing. */
export function digestPlan<P extends { planDigest: Digest; frozenAt: string | null }>(
  plan: P,
): Digest {
  const { planDigest: _, frozenAt: __, ...covered } = plan
  return digestJson(covered)
}
