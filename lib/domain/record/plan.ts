import { z } from 'zod'
import { type Digest, digestJson, digestSchema } from '../digest/index.ts'
import { SETTINGS, settingsSchema } from '../settings/index.ts'
import { instantSchema, relativePathSchema, slugSchema } from './names.ts'
import { type Subject, subjectSchema } from './subject.ts'

/** The arm that adds nothing: every other arm of a plan is compared with it. */
export const BASELINE_ARM = 'baseline'

/** Maximum arms of a plan, equal to the maximum of compared entries. */
export const MAX_ARMS = 8
/** Limits of the files that one arm adds to a workspace. */
export const MAX_OVERLAY_FILES = 50
export const MAX_OVERLAY_BYTES = 256 << 10
const MAX_SERVERS = 10
const MAX_PREFIX = 20_000

export const armNameSchema = subjectSchema.shape.arm.unwrap()

const overlayFileSchema = z.strictObject({
  path: relativePathSchema,
  text: z.string().max(MAX_OVERLAY_BYTES),
  /** Absent = a plain file. */
  executable: z.literal(true).optional(),
})
export type OverlayFile = z.infer<typeof overlayFileSchema>

const variable = z
  .string()
  .regex(/^[A-Za-z_][A-Za-z0-9_]{0,99}$/, 'expected the name of an environment variable')

/** An MCP server that uses stdin and stdout; values of its environment are named, never stored. */
export const mcpServerSchema = z.strictObject({
  name: z
    .string()
    .regex(
      /^[a-z][a-z0-9_-]{0,39}$/,
      'expected at most 40 lower-case letters, digits, dashes and underscores',
    ),
  /** A program on PATH, or a file of the overlay as `${workspace}/path`. */
  command: z.string().min(1).max(500),
  args: z.array(z.string().max(2000)).max(50).default([]),
  /** The server's variable, mapped to the runner's variable with its value. */
  env: z.record(variable, variable).default({}),
  /** Names of its tools, if an agent does not offer them under the server's name. */
  tools: z.array(z.string().min(1).max(200)).max(200).optional(),
})
export type McpServer = z.infer<typeof mcpServerSchema>

const { timeoutMs, maxSteps, maxTokens, maxCostMicroUsd, temperature, effort, customInstruction } =
  SETTINGS

/** Settings in which arms may differ: what an agent may use and its prompt, not where and how it is measured. */
export const armSettingsSchema = z
  .strictObject({
    timeoutMs: timeoutMs.schema,
    maxSteps: maxSteps.schema,
    maxTokens: maxTokens.schema,
    maxCostMicroUsd: maxCostMicroUsd.schema,
    temperature: temperature.schema,
    effort: effort.schema,
    customInstruction: customInstruction.schema,
  })
  .partial()

/** Content of an arm. Absent = the plan's own. */
const armContentSchema = z.strictObject({
  files: z.array(overlayFileSchema).max(MAX_OVERLAY_FILES).default([]),
  mcpServers: z.array(mcpServerSchema).max(MAX_SERVERS).default([]),
  /** Text inserted before every prompt. */
  promptPrefix: z.string().min(1).max(MAX_PREFIX).optional(),
  settings: armSettingsSchema.optional(),
  agentVersion: z.string().min(1).max(100).optional(),
})
export type ArmContent = z.infer<typeof armContentSchema>

/** One treatment of a plan with its content; `digest` covers the content, not the name. */
export const armSchema = armContentSchema
  .extend({
    name: armNameSchema,
    digest: digestSchema,
    /** The agent's name of the requested version; only with `agentVersion`. */
    version: z.string().min(1).max(100).optional(),
  })
  .refine(
    (arm) => digestArm(arm) === arm.digest,
    'the content of the arm does not match its digest',
  )
export type Arm = z.infer<typeof armSchema>

/** The arms of a plan. */
export const armsSchema = z
  .array(armSchema)
  .min(1)
  .max(MAX_ARMS)
  .refine(
    (arms) => new Set(arms.map(({ name }) => name)).size === arms.length,
    'names an arm twice',
  )

/** Digest of all content of an arm. */
export function digestArm({ files, mcpServers, promptPrefix, settings, agentVersion }: ArmContent) {
  const options = { promptPrefix, settings, agentVersion }
  const given = Object.entries(options).filter(([, value]) => value !== undefined)
  return digestJson({ files, mcpServers, ...Object.fromEntries(given) })
}

/** The digest of an arm without content. */
export const EMPTY_ARM_DIGEST: Digest = digestArm({ files: [], mcpServers: [] })

/** Why a plan's tasks are refused: one that is planned twice would count as two. Null = they are not. */
export function refuseTwice({ tasks }: Pick<Plan, 'tasks'>): string | null {
  const seen = new Set<string>()
  const twice = tasks.find(({ taskId }) => seen.size === seen.add(taskId).size)
  return twice
    ? `the plan has task ${twice.taskId} twice: name it once, with more repetitions`
    : null
}

type ArmedPlan = { subject: Subject; arms?: readonly Arm[] | undefined }

/**
 * Returns why a plan's arm must not be named `baseline`: it has content. Null = it may. Refused only in new plans;
 * stored plans stay readable, and their entries are unranked.
 */
export function refuseBaseline({ subject, arms = [] }: ArmedPlan): string | null {
  const own = { name: subject.arm ?? '', digest: subject.armDigest }
  const full = [...arms, own].find(
    ({ name, digest }) => isBaselineName(name) && digest !== EMPTY_ARM_DIGEST,
  )
  return full
    ? `the arm "${full.name}" must be empty, because other arms are compared with the ${BASELINE_ARM}: rename it`
    : null
}

/** True for `baseline` and for names that look like it, such as `base-line` and `base1ine`. */
export function isBaselineName(arm: string): boolean {
  const look = (name: string) => name.replace(/[._-]/g, '').replace(/[1i]/g, 'l')
  return look(arm) === look(BASELINE_ARM)
}

/** The part of a plan that determines its entries: subjects and settings. */
type Entries<Settings> = { subject: Subject; settings: Settings; arms?: readonly Arm[] | undefined }

/** A subject with its settings. */
export type Entry<Settings> = { subject: Subject; settings: Settings }

/**
 * Returns the entry of a plan with this arm: the plan's own subject and settings, with the arm's changes. Null = no
 * such arm.
 */
export function entryOf<Settings extends object>(
  plan: Entries<Settings>,
  arm: string | undefined,
): Entry<Settings> | null {
  const { subject, settings, arms } = plan
  if (arms === undefined) return subject.arm === arm ? { subject, settings } : null
  const found = arms.find(({ name }) => name === arm)
  if (found === undefined) return null
  const { name, digest, version = subject.version } = found
  return {
    subject: { ...subject, version, arm: name, armDigest: digest },
    settings: { ...settings, ...found.settings },
  }
}

/** Returns all entries of a plan, in the order of its arms; a plan without arms has one. */
export function entriesOf<Settings extends object>(plan: Entries<Settings>): Entry<Settings>[] {
  const names = plan.arms?.map(({ name }) => name) ?? [plan.subject.arm]
  return names.flatMap((name) => entryOf(plan, name) ?? [])
}

/**
 * Orders the arms within one block of a task's repetitions: each block contains every arm once, in an order drawn by
 * the seed, so that drift during a run affects all arms alike.
 */
export function orderArms(
  arms: readonly Pick<Arm, 'name'>[],
  { seed, taskId, block }: { seed: number; taskId: string; block: number },
): string[] {
  return arms
    .map(({ name }) => ({ name, lot: digestJson([seed, taskId, block, name]) }))
    .sort((a, b) => (a.lot < b.lot ? -1 : 1))
    .map(({ name }) => name)
}

export const plannedTaskSchema = z.object({
  taskId: slugSchema,
  digest: digestSchema,
  category: z.string(),
  /** Only these repetitions, by number, ascending: a top-up. Absent = 1 to the plan's `repetitions`. */
  repetitions: z.array(z.number().int().min(1).max(100_000)).min(1).max(1000).optional(),
})
export type PlannedTask = z.infer<typeof plannedTaskSchema>

/** The row that a top-up adds to: void and missing episodes of its runs count as replaced by this plan's. */
export const topUpSchema = z.object({ rowId: z.string(), runIds: z.array(z.string()).min(1) })

/**
 * When two sides of a plan stop: at the first of the registered looks, numbers of planned episodes of both, at which what is
 * sealed decides between them. The sides are the plan's two arms, or the plans of a pair, which stand apart.
 */
const stopSchema = z.strictObject({
  when: z.literal('decided'),
  /** The smallest difference that matters, 0–1. */
  difference: z.number().min(0.01).max(1),
  /** Chance of a false verdict over all looks. */
  alpha: z.number().min(0.001).max(0.2),
  looks: z.array(z.number().int().positive()).min(2).max(20),
  /** The digest of both plans without their rules (`digestPair`), and which of them this is. */
  pair: z.strictObject({ digest: digestSchema, side: z.enum(['a', 'b']) }).optional(),
})
export type Stop = z.infer<typeof stopSchema>

/**
 * The run of another harness that a plan waits for. Its results are handed in as a folder, checked against these terms,
 * and judged again from the final states.
 */
const escrowSchema = z.strictObject({
  harness: z.literal('harbor'),
  /** The exact version of the harness. */
  version: z.string().regex(/^\d[\w.+-]{0,39}$/),
  /** Digests of the members of the job's configuration that can change a result, by name. */
  terms: z.record(z.string().max(100), digestSchema),
  tasks: z.record(
    slugSchema,
    z.strictObject({
      /** The task's name in the harness. */
      name: z.string().min(1).max(300),
      /** The harness's own checksum of the task; null = not pinned, so only compared among trials. */
      checksum: z.string().min(1).max(200).nullable(),
      /** The folder whose files are the final state. */
      workdir: z
        .string()
        .regex(/^(\/[^/\0]+)+$/)
        .max(300),
    }),
  ),
})
export type Escrow = z.infer<typeof escrowSchema>

/**
 * A frozen request: suite × subject × repetitions and pinned settings. `planDigest` covers everything but itself and
 * `frozenAt`.
 */
export const planSchema = z.object({
  schemaVersion: z.literal(1),
  planDigest: digestSchema,
  frozenAt: instantSchema,
  suiteId: slugSchema,
  suiteDigest: digestSchema,
  tasks: z.array(plannedTaskSchema).min(1).max(10_000),
  subject: subjectSchema,
  /** Shell command of an ad-hoc agent, a subject without a definition. */
  command: z.string().max(10_000).nullable(),
  /** Per task and arm. */
  repetitions: z.number().int().min(1).max(1000),
  /** Treatments that run interleaved, each a separate entry; absent = the plan is one entry. */
  arms: armsSchema.optional(),
  settings: settingsSchema,
  policyVersion: z.number().int().positive(),
  topUpOf: topUpSchema.optional(),
  /** Absent = every planned episode runs. */
  stop: stopSchema.optional(),
  /** Absent = Proofboard runs it. */
  escrow: escrowSchema.optional(),
})
export type Plan = z.infer<typeof planSchema>

export type PlanDraft = Omit<Plan, 'planDigest' | 'frozenAt' | 'schemaVersion'>

/** Freezes a draft: any later change shows in the digest. */
export function freezePlan(draft: PlanDraft, { now }: { now: string }): Plan {
  const plan = { schemaVersion: 1 as const, ...draft }
  return { ...plan, planDigest: digestJson(plan), frozenAt: now }
}

/**
 * Returns the digest that a plan should carry; differs from `plan.planDigest` if the file was edited after freezing.
 */
export function digestPlan<P extends { planDigest: Digest; frozenAt: string | null }>(
  plan: P,
): Digest {
  const { planDigest: _, frozenAt: __, ...covered } = plan
  return digestJson(covered)
}
