import { digestBytes } from '#lib/domain/digest/index.ts'
import { BUNDLE_KIND, type EpisodeBody } from '#lib/domain/record/index.ts'
import { sampleEpisode, samplePlan } from '../factories/samples.ts'

type BundleOrder = { runId?: string; episodes?: number; changes?: Partial<EpisodeBody> }

/** A complete result.json of the sample plan as text, with up to four sealed episodes. */
export function smallBundle(order: BundleOrder = {}): string {
  const { runId = 'run_sample0001', episodes = 2, changes = {} } = order
  const plan = samplePlan()
  const slots = ['alpha', 'beta'].flatMap((taskId) =>
    [1, 2].map((repetition) => ({ taskId, taskDigest: digestBytes(taskId), repetition })),
  )
  const sealed = slots
    .slice(0, episodes)
    .map((slot) => sampleEpisode({ runId, ...slot, ...changes }, plan))
  return JSON.stringify({
    kind: BUNDLE_KIND,
    schemaVersion: 1,
    runId,
    plan,
    shard: { index: 1, count: 1 },
    lock: sampleEpisode().environment,
    episodes: sealed,
  })
}
