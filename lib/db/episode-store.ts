import type { EpisodeCell, OutcomeCount } from '../domain/api/index.ts'
import type { Digest } from '../domain/digest/index.ts'
import { type PreviousEpisode, previousEpisode } from '../domain/planner/index.ts'
import {
  type AnyEpisode,
  type EpisodeFact,
  type Provenance,
  parseAnyEpisode,
} from '../domain/record/index.ts'
import { AppError } from '../errors.ts'
import type { DbOrTx } from './db.ts'
import { toProvenance } from './run-store.ts'
import { readStoredFact, unpackEnvelope } from './stored-episode.ts'

export type EpisodeRecord = {
  episode: AnyEpisode
  provenance: Provenance
  directory: string | null
}

export async function findEpisode(db: DbOrTx, episodeId: string): Promise<EpisodeRecord | null> {
  const row = await db.episode.findUnique({ where: { episodeId } })
  if (!row) return null
  return {
    episode: parseStored(episodeId, row.envelope),
    provenance: toProvenance(row.provenance),
    directory: row.directory,
  }
}

/** Returns whether an episode is stored here. */
export async function hasEpisode(db: DbOrTx, episodeId: string): Promise<boolean> {
  const select = { episodeId: true }
  return (await db.episode.findUnique({ where: { episodeId }, select })) !== null
}

/** Parses a stored envelope. Throws with one sentence when it is damaged. */
function parseStored(episodeId: string, envelope: string): AnyEpisode {
  const damaged = (why: string) =>
    new AppError(
      'database-unusable',
      `the stored envelope of ${episodeId} is damaged (${why}): restore a copy of the database`,
    )
  let read: unknown
  try {
    read = JSON.parse(unpackEnvelope(envelope))
  } catch (error) {
    throw damaged(error instanceof Error ? error.message : 'it cannot be read')
  }
  const parsed = parseAnyEpisode(read)
  if (!parsed.ok) throw damaged(parsed.problems[0]?.message ?? 'it is not an episode')
  return parsed.value
}

/** Lists folders whose episode is stored, to recognise new ones without opening a file. */
export async function listStoredDirectories(db: DbOrTx, runId: string): Promise<Set<string>> {
  const rows = await db.episode.findMany({ where: { runId }, select: { directory: true } })
  return new Set(rows.flatMap(({ directory }) => directory ?? []))
}

/** Lists the envelopes of a run whose files are stored here, with their folders relative to the data folder. */
export async function listStoredEnvelopes(
  db: DbOrTx,
  runId: string,
): Promise<{ directory: string; envelope: string }[]> {
  const rows = await db.episode.findMany({
    where: { runId, directory: { not: null } },
    select: { directory: true, envelope: true },
  })
  return rows.map(({ directory, envelope }) => {
    return { directory: directory ?? '', envelope: unpackEnvelope(envelope) }
  })
}

/** Lists a run's attempts by task, repetition and attempt. */
export async function listEpisodeCells(
  db: DbOrTx,
  where: { runId: string; taskId?: string; repetition?: number },
): Promise<EpisodeCell[]> {
  const rows = await db.episode.findMany({
    where,
    select: {
      episodeId: true,
      taskId: true,
      repetition: true,
      attempt: true,
      status: true,
      failureCategory: true,
      totalMs: true,
    },
    orderBy: [{ taskId: 'asc' }, { repetition: 'asc' }, { attempt: 'asc' }],
  })
  // Both columns were derived from a parsed envelope.
  return rows.map((row) => row as EpisodeCell)
}

/** Lists the attempts at some tasks in some runs, by task, repetition and attempt. */
export async function listTaskEpisodes(
  db: DbOrTx,
  { runIds, taskIds }: { runIds: readonly string[]; taskIds: readonly string[] },
): Promise<TaskEpisode[]> {
  const rows = await db.episode.findMany({
    where: { runId: { in: [...runIds] }, taskId: { in: [...taskIds] } },
    select: {
      episodeId: true,
      runId: true,
      taskId: true,
      repetition: true,
      status: true,
      fact: true,
    },
    orderBy: [{ taskId: 'asc' }, { runId: 'asc' }, { repetition: 'asc' }, { attempt: 'asc' }],
  })
  return rows.map(({ fact, status, ...row }) => {
    const { arm = null } = readStoredFact(fact).subject
    return { ...row, arm, status: status as EpisodeCell['status'] }
  })
}

/** An attempt of a run; `arm` null = its plan has no arms. */
type TaskEpisode = Pick<EpisodeCell, 'episodeId' | 'taskId' | 'repetition' | 'status'> & {
  runId: string
  arm: string | null
}

/** Lists the facts of every episode on one suite version, which its board is built from. */
export function listFacts(db: DbOrTx, suiteDigest: Digest): Promise<EpisodeFact[]> {
  return readFacts(db, { suiteDigest })
}

/** Counts the episodes stored for one suite version. */
export function countSuiteEpisodes(db: DbOrTx, suiteDigest: Digest): Promise<number> {
  return db.episode.count({ where: { suiteDigest } })
}

/** Lists the facts of every attempt of one run. */
export function listRunFacts(db: DbOrTx, runId: string): Promise<EpisodeFact[]> {
  return readFacts(db, { runId })
}

async function readFacts(
  db: DbOrTx,
  where: { suiteDigest: Digest } | { runId: string },
): Promise<EpisodeFact[]> {
  const rows = await db.episode.findMany({
    where,
    select: { fact: true, provenance: true },
    orderBy: [{ startedAt: 'asc' }, { episodeId: 'asc' }],
  })
  return rows.map((row) => {
    return { ...readStoredFact(row.fact), provenance: toProvenance(row.provenance) }
  })
}

/**
 * `voids` and `cancelled` count slots whose latest attempt is void or was cut short, which `sealed` includes;
 * `voidAttempts` counts every void attempt, also those tried again.
 */
export type Progress = {
  sealed: number
  solved: number
  voids: number
  voidAttempts: number
  cancelled: number
}

/** Counts the progress of runs by the latest attempt of each slot; a run without episodes is left out. */
export async function countProgress(
  db: DbOrTx,
  runIds: readonly string[],
): Promise<Map<string, Progress>> {
  if (runIds.length === 0) return new Map()
  const rows = await db.runProgress.findMany({ where: { runId: { in: [...runIds] } } })
  return new Map(rows.map(({ runId, ...progress }) => [runId, progress]))
}

/** Counts how the attempts of some runs ended, most frequent outcome first. */
export async function countOutcomes(
  db: DbOrTx,
  runIds: readonly string[],
): Promise<OutcomeCount[]> {
  const groups = await db.episode.groupBy({
    by: ['status', 'failureCategory'],
    where: { runId: { in: [...runIds] } },
    _count: true,
  })
  // Both columns were derived from a parsed envelope.
  const counts = groups.map(
    ({ _count, ...group }) => ({ ...group, episodes: _count }) as OutcomeCount,
  )
  return counts.sort((a, b) => b.episodes - a.episodes)
}

/** Lists how these episodes ended when they were sealed. */
export async function listEndings(
  db: DbOrTx,
  episodeIds: readonly string[],
): Promise<(Omit<OutcomeCount, 'episodes'> & { episodeId: string })[]> {
  const rows = await db.episode.findMany({
    where: { episodeId: { in: [...episodeIds] } },
    select: { episodeId: true, status: true, failureCategory: true },
  })
  return rows as Awaited<ReturnType<typeof listEndings>>
}

/** Episodes used for an estimate. More do not improve it. */
const MAX_QUOTED_EPISODES = 2000

/** Lists the figures of the newest scored episodes of a suite, of any version, newest first. */
export async function listScoredEpisodes(db: DbOrTx, suiteId: string): Promise<PreviousEpisode[]> {
  const ids = await listScoredIds(db, suiteId)
  const rows = await db.episode.findMany({
    where: { episodeId: { in: ids } },
    select: { episodeId: true, envelope: true },
  })
  const envelopes = new Map(rows.map(({ episodeId, envelope }) => [episodeId, envelope]))
  return ids.flatMap((id) => {
    const envelope = envelopes.get(id)
    if (envelope === undefined) return []
    const { taskId, subject, outcome, usage, effort } = JSON.parse(unpackEnvelope(envelope))
    return previousEpisode({ taskId, subject, outcome, usage, effort }) ?? []
  })
}

/** An index has the episodes of one version in order; those of several would all be read and sorted. */
async function listScoredIds(db: DbOrTx, suiteId: string): Promise<string[]> {
  const versions = await db.suite.findMany({ where: { suiteId }, select: { digest: true } })
  const lists = await Promise.all(
    versions.map(({ digest }) =>
      db.episode.findMany({
        where: { suiteDigest: digest, status: { notIn: ['void', 'cancelled'] } },
        select: { episodeId: true, startedAt: true },
        orderBy: [{ startedAt: 'desc' }, { episodeId: 'desc' }],
        take: MAX_QUOTED_EPISODES,
      }),
    ),
  )
  return lists
    .flat()
    .sort((a, b) => b.startedAt.getTime() - a.startedAt.getTime())
    .slice(0, MAX_QUOTED_EPISODES)
    .map(({ episodeId }) => episodeId)
}
