import { z } from 'zod'
import { armsSchema } from './arm.ts'
import { type Digest, digestJson, digestSchema } from './digest.ts'
import { instantSchema, slugSchema } from './names.ts'
import { type SettingValues, withFallbacks } from './setting-values.ts'
import { SETTING_SCHEMAS } from './settings.ts'
import { subjectSchema } from './subject.ts'

/** Settings pinned before the first episode starts. Null = no limit, or it does not apply. */
export const settingsSchema = z.object(SETTING_SCHEMAS)
export type Settings = z.infer<typeof settingsSchema>

/** The settings of a plan from the request; throws where the level of isolation is still open. */
export function completeSettings(asked: SettingValues): Settings {
  return settingsSchema.parse(withFallbacks(asked))
}

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
  /** Of each task, by each arm. */
  repetitions: z.number().int().min(1).max(1000),
  /** Treatments that run interleaved, each an entry of its own; absent = the plan is one entry. */
  arms: armsSchema.optional(),
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
