import { z } from 'zod'
import { countOf, type ParseResult, type Problem, refuseInput } from '../text/index.ts'
import { anyEpisodeSchema, anyPlanSchema, REPORTED_SCHEMA_VERSION } from './any-record.ts'
import { environmentSchema } from './environment.ts'
import { episodeSchema } from './episode.ts'
import { type Shard, shardSchema } from './names.ts'
import { planSchema } from './plan.ts'

export const BUNDLE_KIND = 'proofboard-result'

/** `result.json`: one run's frozen plan, resolved environment and sealed episodes; what CI submits. */
export const bundleSchema = z.object({
  kind: z.literal(BUNDLE_KIND),
  schemaVersion: z.literal(1),
  runId: z.string(),
  plan: planSchema,
  lock: environmentSchema,
  shard: shardSchema,
  episodes: z.array(episodeSchema),
})
export type Bundle = z.infer<typeof bundleSchema>

/** A bundle as stored or sent. A reported bundle has no environment, since none was resolved before it ran. */
export const anyBundleSchema = bundleSchema.extend({
  schemaVersion: z.union([z.literal(1), z.literal(REPORTED_SCHEMA_VERSION)]),
  plan: anyPlanSchema,
  lock: environmentSchema.nullable(),
  episodes: z.array(anyEpisodeSchema),
})
export type AnyBundle = z.infer<typeof anyBundleSchema>

const WHOLE: Shard = { index: 1, count: 1 }

type MergedBundle = { bundle: Bundle; missing: number[] }

/**
 * Merges the shards of one run into one result, the same as if the run had never been split, in the order of a complete
 * run. Refuses other plans, other runs, another split, and duplicate shards. `missing` are the shards that were not
 * given. The lock is the first shard's; each episode has its actual environment.
 */
export function mergeBundles(shards: readonly Bundle[]): ParseResult<MergedBundle> {
  const [first] = shards
  if (!first) return refuseInput('no result was given: name the folders of the shards')
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
  const episodes = shards.flatMap((shard) => shard.episodes).sort(compareEpisodes)
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

type Place = { taskId: string; repetition: number; attempt: number }

/** Sorts the episodes of a result: task, repetition, attempt. */
export function compareEpisodes(a: Place, b: Place): number {
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
        message: `is one of ${countOf(bundle.shard.count, 'part')}, not of ${first.shard.count}`,
      },
    ]
  return []
}
