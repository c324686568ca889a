import type { Db } from '#lib/db/database.ts'
import { renewLease } from '#lib/db/job-lease.ts'
import { createLog } from '#lib/log.ts'

/** How long a job stays ours without a sign of life, and how often we give one. */
export const LEASE_MS = 20_000
const RENEW_MS = 4000

const log = createLog('jobs')

/** Renews a job's lease until stopped; `lost` fires when it belongs to somebody else. */
export function holdLease(db: Db, held: { jobId: string; owner: string }) {
  const lost = new AbortController()
  const renew = async () => {
    const holds = await renewLease(db, held, new Date(Date.now() + LEASE_MS))
    if (!holds) lost.abort()
  }
  const timer = setInterval(() => {
    renew().catch((error: unknown) => log.warn('a lease was not renewed', { ...held, error }))
  }, RENEW_MS)
  return { lost: lost.signal, stop: () => clearInterval(timer) }
}
