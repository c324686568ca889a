import { database } from '#lib/db/database.ts'
import { listTaskEpisodes } from '#lib/db/episode-store.ts'
import type { ComparedRow, PairView } from '#lib/domain/compare/comparison.ts'
import type { OutcomeStatus } from '#lib/domain/outcome.ts'

export type FlipEpisode = { episodeId: string; repetition: number; status: OutcomeStatus }

/** The last attempts of a row by task. */
export type EpisodesByTask = Record<string, FlipEpisode[]>

/** For a pair's flipped tasks: the episodes on either side, so that a reader can look at what happened. */
export async function listFlipEpisodes(
  { flipped }: Pick<PairView, 'flipped'>,
  [a, b]: readonly [ComparedRow, ComparedRow],
): Promise<{ a: EpisodesByTask; b: EpisodesByTask }> {
  const taskIds = flipped.map(({ taskId }) => taskId)
  const [left, right] = await Promise.all([
    listLastAttempts(a.runIds, taskIds),
    listLastAttempts(b.runIds, taskIds),
  ])
  return { a: left, b: right }
}

async function listLastAttempts(
  runIds: readonly string[],
  taskIds: readonly string[],
): Promise<EpisodesByTask> {
  if (taskIds.length === 0) return {}
  const attempts = await listTaskEpisodes(database(), { runIds, taskIds })
  const slots = new Map(
    attempts.map((attempt) => [
      `${attempt.runId} ${attempt.taskId} ${attempt.repetition}`,
      attempt,
    ]),
  )
  const byTask: EpisodesByTask = {}
  for (const { taskId, episodeId, repetition, status } of slots.values()) {
    const episodes = byTask[taskId] ?? []
    episodes.push({ episodeId, repetition, status })
    byTask[taskId] = episodes
  }
  return byTask
}
