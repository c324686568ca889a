import { z } from 'zod'
import { canonicalJson } from '../digest/index.ts'
import { formatIssues, type ParseResult, type Problem, refuseInput } from '../text/index.ts'
import { type AnyEpisode, type AnyPlan, anyPlanSchema, isFrozen, isMeasured } from './any-record.ts'
import { type AnyBundle, anyBundleSchema, type Bundle } from './bundle.ts'
import { expandPlan, slotKey } from './expand-plan.ts'
import { runIdSchema, type Shard, shardSchema } from './names.ts'
import { digestPlan, entriesOf } from './plan.ts'
import { findNewerVersion, parseAnyEpisode } from './seal.ts'

// The only validator of bundles. The command line reads a bundle whole; the server, whose uploads may exceed its
// memory, reads the head first and then one envelope after the other, with the same functions.

/** Description of a run that precedes its episodes; no shard = the whole plan. */
export type RunHead = { runId: string; plan: AnyPlan; shard: Shard | null }

const runHeadSchema = z.object({
  runId: runIdSchema,
  plan: anyPlanSchema,
  shard: shardSchema
    .refine(({ index, count }) => index <= count, 'names a shard that does not exist')
    .nullish()
    .transform((shard) => shard ?? null),
})

const bundleHeadSchema = anyBundleSchema
  .pick({ kind: true, schemaVersion: true, lock: true })
  .extend({
    ...runHeadSchema.shape,
    /** Not parsed yet. */
    episodes: z.array(z.unknown(), 'expected a list of episodes'),
  })

/** Parses the head of a run that was sent as a plan and envelopes, without a bundle. */
export function parseRunHead(input: unknown): ParseResult<RunHead> {
  const parsed = runHeadSchema.safeParse(input)
  if (!parsed.success) return { ok: false, problems: formatIssues(parsed.error.issues) }
  const problems = findEdits(parsed.data.plan)
  return problems.length > 0 ? { ok: false, problems } : { ok: true, value: parsed.data }
}

type BundleHead = z.infer<typeof bundleHeadSchema>

/** Parses a bundle without its episodes. */
export function parseBundleHead(input: unknown): ParseResult<BundleHead> {
  const newer = findNewerVersion(input)
  if (newer) return { ok: false, problems: [newer] }
  const parsed = bundleHeadSchema.safeParse(input)
  if (!parsed.success) return { ok: false, problems: formatIssues(parsed.error.issues) }
  const problems = [...findMisfits(parsed.data), ...findEdits(parsed.data.plan)]
  return problems.length > 0 ? { ok: false, problems } : { ok: true, value: parsed.data }
}

/** Parses a whole bundle or refuses it, with a path and a message for each problem. Never throws. */
export function parseAnyBundle(input: unknown): ParseResult<AnyBundle> {
  const head = parseBundleHead(input)
  if (!head.ok) return head
  const { plan, runId, shard } = head.value
  const findMismatch = planMembership(plan, runId)
  const problems: Problem[] = []
  const episodes = head.value.episodes.flatMap((entry, index): AnyEpisode | [] => {
    const parsed = parseAnyEpisode(entry)
    const mismatch = parsed.ok ? findMismatch(parsed.value) : null
    const own = parsed.ok ? (mismatch ? [mismatch] : []) : parsed.problems
    problems.push(
      ...own.map(({ path, message }) => ({ path: `episodes.${index}.${path}`, message })),
    )
    return parsed.ok ? parsed.value : []
  })
  problems.push(...repeated(episodes))
  if (problems.length > 0) return { ok: false, problems }
  return { ok: true, value: { ...head.value, shard: shard ?? WHOLE, episodes } }
}

const WHOLE: Shard = { index: 1, count: 1 }

/** Parses a bundle of Proofboard's runner; reported bundles are refused. */
export function parseBundle(input: unknown): ParseResult<Bundle> {
  const parsed = parseAnyBundle(input)
  if (!parsed.ok) return parsed
  const { plan, lock, episodes: all, ...rest } = parsed.value
  const episodes = all.filter(isMeasured)
  if (isFrozen(plan) && lock !== null && episodes.length === all.length)
    return { ok: true, value: { ...rest, schemaVersion: 1, plan, lock, episodes } }
  const message =
    'contains results reported by another program, which were not measured by this one'
  return refuseInput(message, 'schemaVersion')
}

function findEdits(plan: AnyPlan): Problem[] {
  if (digestPlan(plan) === plan.planDigest) return []
  const message = 'does not match the plan: it was edited after it was frozen'
  return [{ path: 'plan.planDigest', message }]
}

/** A version of a bundle belongs to a version of its plan, and only a reported one may lack its environment. */
function findMisfits({
  schemaVersion,
  lock,
  plan,
}: Pick<AnyBundle, 'schemaVersion' | 'lock' | 'plan'>): Problem[] {
  if (schemaVersion !== plan.schemaVersion)
    return [
      {
        path: 'schemaVersion',
        message: `does not go with a plan of version ${plan.schemaVersion}`,
      },
    ]
  if (lock !== null || !isFrozen(plan) || plan.escrow) return []
  return [{ path: 'lock', message: 'a measured run has its environment' }]
}

function repeated(episodes: readonly AnyEpisode[]): Problem[] {
  const seen = new Set<string>()
  return episodes.flatMap(({ episodeId }, index) => {
    if (!seen.has(episodeId)) {
      seen.add(episodeId)
      return []
    }
    return [{ path: `episodes.${index}.episodeId`, message: 'is in this bundle twice' }]
  })
}

/** Returns a check whether an episode belongs to this run of this plan; null = it does. Create it once per run. */
export function planMembership(
  plan: AnyPlan,
  runId: string,
): (episode: AnyEpisode) => Problem | null {
  const digests = new Map(plan.tasks.map((task) => [task.taskId, task.digest]))
  const slots = new Map(expandPlan(plan).map((slot) => [slotKey(slot), slot.arm]))
  const ranAsPlanned = sameSubject(plan)
  const demands: readonly (Problem & { passes: (episode: AnyEpisode) => boolean })[] = [
    {
      path: 'planDigest',
      message: 'belongs to another plan',
      passes: (episode) => episode.planDigest === plan.planDigest,
    },
    {
      path: 'runId',
      message: 'belongs to another run',
      passes: (episode) => episode.runId === runId,
    },
    {
      path: 'suiteDigest',
      message: 'is not the suite of the plan',
      passes: ({ suiteId, suiteDigest }) =>
        suiteDigest === plan.suiteDigest && suiteId === plan.suiteId,
    },
    {
      path: 'taskDigest',
      message: 'is not the planned version of this task',
      passes: ({ taskId, taskDigest }) => digests.get(taskId) === taskDigest,
    },
    {
      path: 'subject',
      message: 'is not the planned subject with the planned settings',
      passes: ranAsPlanned,
    },
    {
      path: 'subject.arm',
      message: 'is not the arm that the plan gives this repetition',
      passes: (episode) =>
        plan.arms === undefined || slots.get(slotKey(episode)) === episode.subject.arm,
    },
    {
      path: 'repetition',
      message: 'is not a repetition of the plan',
      passes: (episode) => slots.has(slotKey(episode)),
    },
  ]
  return (episode) => {
    const broken = demands.find(({ passes }) => !passes(episode))
    return broken ? { path: broken.path, message: broken.message } : null
  }
}

function sameSubject(plan: AnyPlan): (episode: AnyEpisode) => boolean {
  const planned = new Set(
    entriesOf<AnyPlan['settings']>(plan).map(({ subject, settings }) =>
      canonicalJson([subject, settings]),
    ),
  )
  return ({ subject }) => {
    const { settings, modelObserved: _, ...who } = subject
    return planned.has(canonicalJson([who, settings]))
  }
}
