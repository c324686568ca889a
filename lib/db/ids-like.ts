import type { DbOrTx } from './db.ts'

/** Below this length too many ids begin alike. */
const LEAST_LENGTH = 8
const MOST_IDS = 3

/** What finds the ids from one on, and the last one up to it, both by the index. */
type IdIndex = {
  from: (id: string) => Promise<string[]>
  upTo: (id: string) => Promise<string[]>
}

/** Runs whose id a broken link may mean: it lost its end, or the end of a sentence was taken for a part of it. */
export function listRunIdsLike(db: DbOrTx, asked: string): Promise<string[]> {
  return listIdsLike(asked, {
    from: async (id) => {
      const runs = await db.run.findMany({
        where: { runId: { gte: id } },
        orderBy: { runId: 'asc' },
        select: { runId: true },
        take: MOST_IDS,
      })
      return runs.map(({ runId }) => runId)
    },
    upTo: async (id) => {
      const runs = await db.run.findMany({
        where: { runId: { lte: id } },
        orderBy: { runId: 'desc' },
        select: { runId: true },
        take: 1,
      })
      return runs.map(({ runId }) => runId)
    },
  })
}

/** The same of episodes. */
export function listEpisodeIdsLike(db: DbOrTx, asked: string): Promise<string[]> {
  return listIdsLike(asked, {
    from: async (id) => {
      const episodes = await db.episode.findMany({
        where: { episodeId: { gte: id } },
        orderBy: { episodeId: 'asc' },
        select: { episodeId: true },
        take: MOST_IDS,
      })
      return episodes.map(({ episodeId }) => episodeId)
    },
    upTo: async (id) => {
      const episodes = await db.episode.findMany({
        where: { episodeId: { lte: id } },
        orderBy: { episodeId: 'desc' },
        select: { episodeId: true },
        take: 1,
      })
      return episodes.map(({ episodeId }) => episodeId)
    },
  })
}

async function listIdsLike(asked: string, { from, upTo }: IdIndex): Promise<string[]> {
  if (asked.length < LEAST_LENGTH) return []
  const [after, before] = await Promise.all([from(asked), upTo(asked)])
  return [
    ...before.filter((id) => asked.startsWith(id)),
    ...after.filter((id) => id.startsWith(asked)),
  ]
}
