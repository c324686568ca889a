import { hostId } from '#lib/setup/host.mjs'
import { database } from '../../db/database.ts'
import { findHolderHost } from '../../db/job-lease.ts'

/** The machine on which a run is under way, when that is another one than ours; null = ours, none, or not known. */
export async function findOtherHost(runId: string): Promise<string | null> {
  const host = await findHolderHost(database(), runId)
  return host === hostId() ? null : host
}
