import { type EpisodeSummary, episodeSummarySchema } from '../domain/api/index.ts'
import { digestSchema } from '../domain/digest/index.ts'
import type { OutcomeStatus } from '../domain/record/index.ts'
import type { DbOrTx } from './db.ts'
import { listedAfter } from './run-store.ts'

// Lists of episodes are filtered in indexes, and only the rows of a page are read: with a million episodes, reading
// them all for one that matches takes many seconds.

/** Filters of an episode list; undefined = not filtered. */
export type EpisodeFilter = {
  runId?: string | undefined
  suiteId?: string | undefined
  suiteDigest?: string | undefined
  taskId?: string | undefined
  /** A subject's name, or its id. */
  subject?: string | undefined
  status?: OutcomeStatus | undefined
}

const SUMMARY = {
  episodeId: true,
  runId: true,
  suiteId: true,
  suiteDigest: true,
  taskId: true,
  repetition: true,
  attempt: true,
  status: true,
  failureCategory: true,
  mode: true,
  verdict: true,
  provenance: true,
  startedAt: true,
  totalMs: true,
  subject: true,
} as const

const LATEST_FIRST = [{ startedAt: 'desc' }, { episodeId: 'desc' }] as const

type ListPlace = { after: readonly [at: string, id: string] | null; limit: number }

/** Lists attempts of every run, latest first, then by id. */
export async function listEpisodeSummaries(
  db: DbOrTx,
  filter: EpisodeFilter,
  place: ListPlace,
): Promise<EpisodeSummary[]> {
  const rows = await db.episode.findMany({
    where: { episodeId: { in: await listEpisodeIds(db, filter, place) } },
    select: SUMMARY,
    orderBy: [...LATEST_FIRST],
  })
  return rows.map(({ subject: { id: subjectId, ...identity }, startedAt, ...row }) =>
    episodeSummarySchema.parse({
      ...row,
      startedAt: startedAt.toISOString(),
      subject: { subjectId, ...identity },
    }),
  )
}

/** Lists ids by the columns of an index alone. */
async function listEpisodeIds(
  db: DbOrTx,
  { subject, ...columns }: EpisodeFilter,
  { after, limit }: ListPlace,
): Promise<string[]> {
  const wanted = Object.fromEntries(
    Object.entries(columns).filter(([, value]) => value !== undefined),
  )
  const rows = await db.episode.findMany({
    where: {
      ...wanted,
      ...(subject && { subjectId: { in: await findSubjectIds(db, subject) } }),
      ...listedAfter('startedAt', 'episodeId', after),
    },
    select: { episodeId: true },
    orderBy: [...LATEST_FIRST],
    take: limit,
  })
  return rows.map(({ episodeId }) => episodeId)
}

async function findSubjectIds(db: DbOrTx, nameOrId: string): Promise<string[]> {
  if (digestSchema.safeParse(nameOrId).success) return [nameOrId]
  const subjects = await db.subject.findMany({ where: { name: nameOrId }, select: { id: true } })
  return subjects.map(({ id }) => id)
}

/** Attempts among which those with evidence are looked for. */
const MAX_LOOKED_AT = 500

/** Lists the latest episodes with evidence files, of subjects with this name if one is given. */
export async function listWithEvidence(
  db: DbOrTx,
  subject: string | undefined,
  limit: number,
): Promise<{ episodeId: string; runId: string }[]> {
  const place = { after: null, limit: MAX_LOOKED_AT }
  return db.episode.findMany({
    where: {
      episodeId: { in: await listEpisodeIds(db, { subject }, place) },
      directory: { not: null },
    },
    select: { episodeId: true, runId: true },
    orderBy: [...LATEST_FIRST],
    take: limit,
  })
}
