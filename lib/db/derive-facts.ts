import { parseAnyEpisode } from '../domain/record/index.ts'
import type { Db, DbOrTx } from './db.ts'
import { Prisma } from './generated/sqlite/client.ts'
import { rederiveEpisode, unpackEnvelope } from './stored-episode.ts'
import { inTransaction } from './transaction.ts'

/** Episodes per transaction, so that other writers wait for a moment only. */
const BATCH = 200

type Earlier = { number: bigint | number; episodeId: string }

/**
 * Derives facts again that an earlier version stored without what boards read today, so that a board equals the one that
 * is rebuilt from the envelopes. The changed facts wait to be copied.
 */
export async function deriveEarlierFacts(db: Db): Promise<void> {
  for (let after = 0; ; ) {
    const earlier = await listEarlier(db, after)
    const last = earlier.at(-1)
    if (last === undefined) return
    after = Number(last.number)
    await deriveAgain(
      db,
      earlier.map(({ episodeId }) => episodeId),
    )
  }
}

/**
 * Lists facts from before exits of agents or origins were facts. An exit that is unknown is listed as well, since only the
 * envelope says so.
 */
function listEarlier(db: DbOrTx, after: number): Promise<Earlier[]> {
  return db.$queryRaw<Earlier[]>`
    SELECT "number", "episodeId" FROM "Fact"
    WHERE "number" > ${after}
      AND (("fact" NOT LIKE '%"agentExit":%' AND "fact" LIKE '%"status":"solved"%')
        OR ("fact" NOT LIKE '%"origin":%' AND "fact" NOT LIKE '%"mode":"reported"%'))
    ORDER BY "number" LIMIT ${BATCH}`
}

/** Stores what the envelopes of these episodes give today. */
function deriveAgain(db: Db, episodeIds: readonly string[]): Promise<void> {
  const derive = async (tx: DbOrTx) => {
    const rows = await tx.$queryRaw<{ episodeId: string; envelope: string; fact: string }[]>`
      SELECT "episodeId", "envelope", "fact" FROM "Episode"
      WHERE "episodeId" IN (${Prisma.join([...episodeIds])})`
    for (const { episodeId, envelope, fact: stored } of rows) {
      const fact = derivedFact(envelope)
      if (fact === null || fact === stored) continue
      await tx.$executeRaw`
        UPDATE "Episode" SET "fact" = ${fact} WHERE "episodeId" = ${episodeId}`
    }
  }
  return inTransaction(db, derive, { isDerived: true })
}

/** Null = the envelope is damaged, which a check of the database reports. */
function derivedFact(envelope: string): string | null {
  try {
    const parsed = parseAnyEpisode(JSON.parse(unpackEnvelope(envelope)))
    return parsed.ok ? rederiveEpisode(parsed.value).fact : null
  } catch {
    return null
  }
}
