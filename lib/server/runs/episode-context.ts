import { createTwoFilesPatch } from 'diff'
import { database } from '../../db/database.ts'
import { findFailedNeighbours, findSolvedAttempt } from '../../db/episode-neighbours.ts'
import type { EpisodeView } from '../../domain/api/index.ts'
import { type AnyEpisode, isScored } from '../../domain/record/index.ts'
import { getEpisode } from './episodes.ts'

export type EpisodeContext = {
  previous: string | null
  next: string | null
  /** A solved attempt at the same task, for a failed one. */
  solved: { episodeId: string; isSameRun: boolean; repetition: number } | null
}

/** Returns links from an episode: to failed episodes of its run, and to one that solved its task. */
export async function getEpisodeContext(episode: AnyEpisode): Promise<EpisodeContext> {
  const db = database()
  const { runId, outcome } = episode
  const isFailed = isScored(outcome.status) && outcome.status !== 'solved'
  const [neighbours, solved] = await Promise.all([
    findFailedNeighbours(db, episode),
    isFailed ? findSolvedAttempt(db, episode) : null,
  ])
  return {
    ...neighbours,
    solved: solved && {
      episodeId: solved.episodeId,
      isSameRun: solved.runId === runId,
      repetition: solved.repetition,
    },
  }
}

/** Limit for a diff, which is quadratic for two long and different files. */
const MAX_EDITS = 4000

/** Compares a solved attempt's solution with this one, as a unified diff; null = one of them is not stored. */
export async function compareSolutions(
  { solution }: Pick<EpisodeView, 'solution'>,
  solvedId: string,
): Promise<string | null> {
  const other = await getEpisode(solvedId)
  if (!other || other.solution.length === 0 || solution.length === 0) return null
  const ownFiles = new Map(solution.map(({ path, text }) => [path, text]))
  const otherFiles = new Map(other.solution.map(({ path, text }) => [path, text]))
  const paths = [...new Set([...ownFiles.keys(), ...otherFiles.keys()])].sort()
  return paths
    .map((path) => compareFile(path, ownFiles.get(path) ?? '', otherFiles.get(path) ?? ''))
    .join('')
}

function compareFile(path: string, before: string, after: string): string {
  if (before === after) return ''
  const names = [`a/${path}`, `b/${path}`] as const
  const text = createTwoFilesPatch(...names, before, after, undefined, undefined, {
    maxEditLength: MAX_EDITS,
  })
  return text ?? `--- ${names[0]}\n+++ ${names[1]}\n(too different to be shown side by side)\n`
}
