import { type PastEpisode, pastEpisode } from '#lib/domain/planner/past-episode.ts'
import type { DbOrTx } from './open-db.ts'

/** A quote does not get better by reading more. */
const MOST = 2000

/** What the newest scored episodes of a suite took, whatever its version; only the figures leave the envelopes. */
export async function listPastEpisodes(db: DbOrTx, suiteId: string): Promise<PastEpisode[]> {
  const rows = await db.$queryRaw<{ past: string }[]>`
    SELECT json_object(
      'taskId', "taskId",
      'subject', json_extract("envelope", '$.subject'),
      'outcome', json_extract("envelope", '$.outcome'),
      'usage', json_extract("envelope", '$.usage'),
      'effort', json_extract("envelope", '$.effort')) AS "past"
    FROM "Episode"
    WHERE "suiteDigest" IN (SELECT "digest" FROM "Suite" WHERE "suiteId" = ${suiteId})
      AND "status" NOT IN ('void', 'cancelled')
    ORDER BY "startedAt" DESC, "episodeId" LIMIT ${MOST}`
  return rows.flatMap(({ past }) => pastEpisode(JSON.parse(past)) ?? [])
}
