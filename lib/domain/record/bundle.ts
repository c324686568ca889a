import { z } from 'zod'
import { canonicalJson } from './digest.ts'
import { environmentSchema } from './environment.ts'
import { type Episode, episodeSchema } from './episode.ts'
import { expandPlan, type Shard, shardSchema, slotKey } from './expand-plan.ts'
import { digestPlan, type Plan, planSchema } from './plan.ts'
import { formatIssues, type ParseResult, type Problem } from './problem.ts'
import { parseEpisode } from './seal.ts'

export const BUNDLE_KIND = 'proofboard-result'

/** `result.json`: one run's plan, resolved environment and sealed episodes; what CI submits. */
export const bundleSchema = z.object({
  kind: z.literal(BUNDLE_KIND),
  /** 2 = told by another program: nothing was frozen, and nobody resolved an environment. */
  schemaVersion: z.union([z.literal(1), z.literal(2)]),
  runId: z.string(),
  plan: planSchema,
  lock: environmentSchema.nullable(),
  shard: shardSchema,
  episodes: z.array(episodeSchema),
})
export type Bundle = z.infer<typeof bundleSchema>

const shellSchema = bundleSchema.extend({ episodes: z.array(z.unknown()) })

/** Reads a bundle whole or refuses it whole, with a path and a message for each problem. Never throws. */
export function parseBundle(input: unknown): ParseResult<Bundle> {
  const shell = shellSchema.safeParse(input)
  if (!shell.success) return { ok: false, problems: formatIssues(shell.error.issues) }
  const { plan } = shell.data
  const problems = findMisfits(shell.data)
  if (digestPlan(plan) !== plan.planDigest) {
    problems.push({
      path: 'plan.planDigest',
      message: 'does not match the plan: it was edited after it was frozen',
    })
  }
  const episodes: Episode[] = []
  shell.data.episodes.forEach((entry, index) => {
    const parsed = parseEpisode(entry)
    if (parsed.ok) episodes.push(parsed.value)
    else
      problems.push(
        ...parsed.problems.map((p) => ({
          path: `episodes.${index}.${p.path}`,
          message: p.message,
        })),
      )
  })
  problems.push(...strangers(plan, shell.data.runId, episodes), ...repeated(episodes))
  return problems.length > 0
    ? { ok: false, problems }
    : { ok: true, value: { ...shell.data, episodes } }
}

/** A version of a bundle belongs to a version of its plan, and only a reported one may lack its environment. */
export function findMisfits({
  schemaVersion,
  lock,
  plan,
}: Pick<Bundle, 'schemaVersion' | 'lock' | 'plan'>): Problem[] {
  if (schemaVersion !== plan.schemaVersion)
    return [
      {
        path: 'schemaVersion',
        message: `does not go with a plan of version ${plan.schemaVersion}`,
      },
    ]
  if (lock !== null || schemaVersion === 2) return []
  return [{ path: 'lock', message: 'a measured run has its environment' }]
}

function strangers(plan: Plan, runId: string, episodes: readonly Episode[]): Problem[] {
  const findStranger = planMembership(plan, runId)
  return episodes.flatMap((episode, index) => {
    const problem = findStranger(episode)
    return problem ? [{ ...problem, path: `episodes.${index}.${problem.path}` }] : []
  })
}

function repeated(episodes: readonly Episode[]): Problem[] {
  const seen = new Set<string>()
  return episodes.flatMap(({ episodeId }, index) => {
    if (!seen.has(episodeId)) {
      seen.add(episodeId)
      return []
    }
    return [{ path: `episodes.${index}.episodeId`, message: 'stands in this bundle twice' }]
  })
}

/** A check whether an episode is one that this run of this plan asked for; null = it is. Made once a run. */
export function planMembership(plan: Plan, runId: string): (episode: Episode) => Problem | null {
  const digests = new Map(plan.tasks.map((task) => [task.taskId, task.digest]))
  const slots = new Set(expandPlan(plan).map(slotKey))
  const ranAsPlanned = sameSubject(plan)
  const demands: readonly (Problem & { holds: (episode: Episode) => boolean })[] = [
    {
      path: 'planDigest',
      message: 'belongs to another plan',
      holds: (episode) => episode.planDigest === plan.planDigest,
    },
    {
      path: 'runId',
      message: 'belongs to another run',
      holds: (episode) => episode.runId === runId,
    },
    {
      path: 'suiteDigest',
      message: 'is not the suite that the plan asks for',
      holds: ({ suiteId, suiteDigest }) =>
        suiteDigest === plan.suiteDigest && suiteId === plan.suiteId,
    },
    {
      path: 'taskDigest',
      message: 'is not the planned version of this task',
      holds: ({ taskId, taskDigest }) => digests.get(taskId) === taskDigest,
    },
    {
      path: 'subject',
      message: 'is not the planned subject with the planned settings',
      holds: ranAsPlanned,
    },
    {
      path: 'repetition',
      message: 'is no repetition of the plan',
      holds: (episode) => slots.has(slotKey(episode)),
    },
  ]
  return (episode) => {
    const broken = demands.find(({ holds }) => !holds(episode))
    return broken ? { path: broken.path, message: broken.message } : null
  }
}

function sameSubject(plan: Plan): (episode: Episode) => boolean {
  const planned = canonicalJson([plan.subject, plan.settings])
  return ({ subject }) => {
    const { settings, modelObserved: _, ...who } = subject
    return canonicalJson([who, settings]) === planned
  }
}

const WHOLE: Shard = { index: 1, count: 1 }

type MergedBundle = { bundle: Bundle; missing: number[] }

/**
 * The shards of one run as one result, the same as if the run had never been cut, in the order that a whole run writes.
 * Refused: other plans, other runs, another cut, a shard given twice. `missing` are the shards nobody handed in. The
 * lock is the first shard's; each episode carries the environment it really had.
 */
export function mergeBundles(shards: readonly Bundle[]): ParseResult<MergedBundle> {
  const [first] = shards
  if (!first) return refuse('(root)', 'no result was given: name the folders of the shards')
  const problems = shards.flatMap((shard, index) => findStranger(shard, first, index))
  const given = shards.map(({ shard }) => shard.index)
  const twice = given.findIndex((index, place) => given.indexOf(index) !== place)
  if (problems.length === 0 && twice >= 0) {
    const { index, count } = shards[twice]?.shard ?? WHOLE
    problems.push({ path: `${twice}.shard`, message: `shard ${index}/${count} was given twice` })
  }
  if (problems.length > 0) return { ok: false, problems }
  const { runId, plan, lock } =
    [...shards].sort((a, b) => a.shard.index - b.shard.index)[0] ?? first
  const episodes = shards.flatMap((shard) => shard.episodes).sort(inOrder)
  const all = Array.from({ length: first.shard.count }, (_, index) => index + 1)
  const bundle: Bundle = {
    kind: BUNDLE_KIND,
    schemaVersion: 1,
    runId,
    plan,
    lock,
    shard: WHOLE,
    episodes,
  }
  return { ok: true, value: { bundle, missing: all.filter((index) => !given.includes(index)) } }
}

/** The order of a result's episodes: task, repetition, attempt. */
export function inOrder(a: Episode, b: Episode): number {
  const byTask = a.taskId < b.taskId ? -1 : a.taskId > b.taskId ? 1 : 0
  return byTask || a.repetition - b.repetition || a.attempt - b.attempt
}

function findStranger(bundle: Bundle, first: Bundle, index: number): Problem[] {
  if (bundle.plan.planDigest !== first.plan.planDigest)
    return [{ path: `${index}.plan`, message: `is another plan (${bundle.plan.planDigest})` }]
  if (bundle.runId !== first.runId)
    return [
      {
        path: `${index}.runId`,
        message: `is another run (${bundle.runId}): give all shards one --run-id`,
      },
    ]
  if (bundle.shard.count !== first.shard.count)
    return [
      {
        path: `${index}.shard`,
        message: `is one of ${bundle.shard.count} parts, not of ${first.shard.count}`,
      },
    ]
  return []
}

function refuse(path: string, message: string): { ok: false; problems: Problem[] } {
  return { ok: false, problems: [{ path, message }] }
}
