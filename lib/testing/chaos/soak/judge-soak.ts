import type { Db } from '../../../db/db.ts'
import { checkSlots, type StorageCheck } from '../kill/check-stored.ts'
import type { Accepted } from './send-uploads.ts'

/** Checks that every episode of every acknowledged upload is stored once, with the uploaded seal. */
export async function judgeUploads(
  db: Db,
  accepted: readonly Accepted[],
): Promise<Pick<StorageCheck, 'lost' | 'duplicated'>> {
  const found = { lost: [] as string[], duplicated: [] as string[] }
  for (const { runId, envelopes } of accepted) {
    const rows = await db.episode.findMany({ where: { runId }, select: { seal: true } })
    const stored = rows.map(({ seal }) => seal)
    const missing = envelopes.filter((seal) => !stored.includes(seal)).length
    if (missing > 0) found.lost.push(`${runId}: ${missing} of ${envelopes.length} episodes`)
    if (stored.length > envelopes.length)
      found.duplicated.push(`${runId}: ${stored.length} rows for ${envelopes.length} episodes`)
  }
  return found
}

/** Checks that every job is done, and every planned slot scored exactly once. */
export async function judgeJobs(db: Db): Promise<StorageCheck> {
  const found: StorageCheck = {
    slots: 0,
    scored: 0,
    attempts: 0,
    voids: 0,
    lost: [],
    duplicated: [],
    other: [],
  }
  for (const { id, status, reason, runId, plan } of await db.job.findMany()) {
    if (status !== 'done') found.other.push(`${id} is ${status}: ${reason}`)
    if (runId === null || plan === null) found.lost.push(`${id} has no run`)
    else await checkSlots(db, runId, plan, found)
  }
  return found
}
