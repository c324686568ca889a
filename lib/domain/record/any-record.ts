import { z } from 'zod'
import { bundleSchema } from './bundle.ts'
import { environmentSchema } from './environment.ts'
import { type Episode, episodeSchema } from './episode.ts'
import { type Plan, planSchema } from './plan.ts'
import {
  REPORTED_SCHEMA_VERSION,
  reportedEpisodeSchema,
  reportedPlanSchema,
} from './reported-result.ts'

// Uploads, stored rows and archives hold both what was measured here and what other programs reported. Only what reads
// them, maps them to a board row or writes them out may know of both; everything else works on what was measured.

/** A sealed episode as it is stored or sent: version 1 was measured by our runner, version 2 reported by another program. */
export const anyEpisodeSchema = z.discriminatedUnion('schemaVersion', [
  episodeSchema,
  reportedEpisodeSchema,
])
export type AnyEpisode = z.infer<typeof anyEpisodeSchema>

/** The plan behind stored episodes: frozen before them, or reported after them. */
export const anyPlanSchema = z.discriminatedUnion('schemaVersion', [planSchema, reportedPlanSchema])
export type AnyPlan = z.infer<typeof anyPlanSchema>

/** A bundle as it is stored or sent. A reported one has no environment, because no one resolved one before it ran. */
export const anyBundleSchema = bundleSchema.extend({
  schemaVersion: z.union([z.literal(1), z.literal(REPORTED_SCHEMA_VERSION)]),
  plan: anyPlanSchema,
  lock: environmentSchema.nullable(),
  episodes: z.array(anyEpisodeSchema),
})
export type AnyBundle = z.infer<typeof anyBundleSchema>

/** True when our own runner measured it, so that nothing of it is merely reported. */
export function isMeasured(episode: AnyEpisode): episode is Episode {
  return episode.schemaVersion === 1
}

/** True when the plan was frozen before its episodes started: only then can it be run, and hold a claim. */
export function isFrozen(plan: AnyPlan): plan is Plan {
  return plan.schemaVersion === 1
}
