import type { DbOrTx } from './db.ts'
import { Prisma } from './generated/sqlite/client.ts'

/** Shorter prefixes match too many ids. */
const MIN_LENGTH = 8
const MAX_IDS = 3

/** Lists runs that a damaged link may mean: its end is cut off, or punctuation was added to it. */
export function listRunIdsLike(db: DbOrTx, requested: string): Promise<string[]> {
  return listIdsLike(db, requested, { table: Prisma.sql`"Run"`, id: Prisma.sql`"runId"` })
}

/** Lists episodes that a damaged link may mean. */
export function listEpisodeIdsLike(db: DbOrTx, requested: string): Promise<string[]> {
  return listIdsLike(db, requested, { table: Prisma.sql`"Episode"`, id: Prisma.sql`"episodeId"` })
}

type IdColumn = Record<'table' | 'id', Prisma.Sql>

/** Reads the ids that sort just after and just before the text, both by the index. */
async function listIdsLike(
  db: DbOrTx,
  requested: string,
  { table, id }: IdColumn,
): Promise<string[]> {
  if (requested.length < MIN_LENGTH) return []
  const [after, before] = await Promise.all([
    db.$queryRaw<{ id: string }[]>`
      SELECT ${id} AS "id" FROM ${table} WHERE ${id} >= ${requested} ORDER BY ${id} LIMIT ${MAX_IDS}`,
    db.$queryRaw<{ id: string }[]>`
      SELECT ${id} AS "id" FROM ${table} WHERE ${id} <= ${requested} ORDER BY ${id} DESC LIMIT 1`,
  ])
  return [
    ...before.filter((found) => requested.startsWith(found.id)),
    ...after.filter((found) => found.id.startsWith(requested)),
  ].map((found) => found.id)
}
