import { z } from 'zod'
import { type Digest, digestJson, digestSchema } from './digest.ts'
import { instantSchema, slugSchema } from './names.ts'
import { SETTING_SCHEMAS, type SettingValues, withFallbacks } from './settings.ts'
import { subjectSchema } from './subject.ts'

/** Settings pinned before the first episode starts. Null = no limit was asked for, or it does not apply. */
export const settingsSchema = z.object(SETTING_SCHEMAS)
export type Settings = z.infer<typeof settingsSchema>

/** The settings of a plan out of what was asked for; throws where the level of isolation is still open. */
export function completeSettings(asked: SettingValues): Settings {
  return settingsSchema.parse(withFallbacks(asked))
}

/** Settings of a result that another program made, as far as it tells them. Null = not told. */
export const reportedSettingsSchema = settingsSchema.extend({
  timeoutMs: settingsSchema.shape.timeoutMs.nullable(),
  isolation: settingsSchema.shape.isolation.nullable(),
  diskQuotaBytes: settingsSchema.shape.diskQuotaBytes.nullable(),
  maxAttempts: settingsSchema.shape.maxAttempts.nullable(),
  seed: settingsSchema.shape.seed.nullable(),
})
export type ReportedSettings = z.infer<typeof reportedSettingsSchema>

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
export const frozenPlanSchema = z.object({
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
export type FrozenPlan = z.infer<typeof frozenPlanSchema>

/**
 * What a result of another program was made of, written down after it was made: nobody froze it, so no claim rests on
 * it. Its tasks are known by name alone, or by the digest that the program tells.
 */
export const reportedPlanSchema = frozenPlanSchema.extend({
  schemaVersion: z.literal(2),
  frozenAt: z.null(),
  command: z.null(),
  policyVersion: z.null(),
  topUpOf: z.undefined().optional(),
  tasks: z
    .array(plannedTaskSchema.extend({ title: z.string().min(1).max(200) }))
    .min(1)
    .max(10_000),
  settings: reportedSettingsSchema,
  /** What the program calls the set of tasks. */
  dataset: z.object({ name: z.string().min(1).max(200), version: z.string().max(100).nullable() }),
})
export type ReportedPlan = z.infer<typeof reportedPlanSchema>

/** The plan behind kept episodes: frozen before them, or reported after them. */
export const planSchema = z.discriminatedUnion('schemaVersion', [
  frozenPlanSchema,
  reportedPlanSchema,
])
export type Plan = z.infer<typeof planSchema>
export type PlanDraft = Omit<FrozenPlan, 'planDigest' | 'frozenAt' | 'schemaVersion'>

/** True when the plan was frozen before its episodes started: only then can it be run, and hold a claim. */
export function isFrozen(plan: Plan): plan is FrozenPlan {
  return plan.schemaVersion === 1
}

/** Freezes a draft: from here on any change of it shows in the digest. */
export function freezePlan(draft: PlanDraft, { now }: { now: string }): FrozenPlan {
  const plan = { schemaVersion: 1 as const, ...draft }
  return { ...plan, planDigest: digestJson(plan), frozenAt: now }
}

/** The digest a plan should carry; differs from `plan.planDigest` when the file was edited after freezing. */
export function digestPlan(plan: Plan): Digest {
  const { planDigest: _, frozenAt: __, ...covered } = plan
  return digestJson(covered)
}
