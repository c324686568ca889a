import { judgeResults } from '#lib/domain/board/index.ts'
import type { Bundle } from '#lib/domain/record/index.ts'

/** Facts of a run that repeat: without its id, time, duration and machine. */
export function factsOfRun({ plan, shard, episodes }: Bundle) {
  const facts = episodes.map(({ taskId, taskDigest, repetition, attempt, ...episode }) => ({
    slot: { taskId, taskDigest, repetition, attempt },
    outcome: episode.outcome,
    subject: episode.subject,
    mode: episode.mode,
    verdict: episode.contract?.verdict,
    planDigest: episode.planDigest,
  }))
  return { plan, shard, facts }
}

/** Entry, badge, reasons and rate with interval, as if all runs came from one state of this working copy. */
export function eligibilityOfRun({ plan, runId, shard, episodes }: Bundle): unknown {
  const same = episodes.map((episode) => ({
    ...episode,
    environment: {
      ...episode.environment,
      harness: { ...episode.environment.harness, commit: null, dirty: false },
    },
  }))
  const result = { plan, runId, shard, episodes: same }
  return judgeResults([result], { provenance: 'oidc', findSuite: () => null })
}
