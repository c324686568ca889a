import { withDatabaseErrors } from './database-error.ts'
import { findJob, type Job } from './job-store.ts'
import type { Db } from './open-db.ts'

export type Claim = { owner: string; now: Date; leaseMs: number; newRunId: string }

/** Takes the oldest queued job, or none; of several workers exactly one gets it. */
export async function claimJob(
  db: Db,
  { owner, now, leaseMs, newRunId }: Claim,
): Promise<Job | null> {
  const until = new Date(now.getTime() + leaseMs)
  const claimed = await withDatabaseErrors(
    () => db.$queryRaw<{ id: string }[]>`
      UPDATE "Job" SET "status" = 'running', "leaseOwner" = ${owner}, "leaseUntil" = ${until},
        "startedAt" = COALESCE("startedAt", ${now}), "newRunId" = COALESCE("newRunId", ${newRunId})
      WHERE "id" = (
        SELECT "id" FROM "Job" WHERE "status" = 'queued' ORDER BY "createdAt", "id" LIMIT 1)
        AND "status" = 'queued'
      RETURNING "id"`,
  )
  return claimed[0] ? findJob(db, claimed[0].id) : null
}

type Held = { jobId: string; owner: string }

/** The heartbeat: false = the lease was lost to somebody else, so the holder has to stop. */
export async function renewLease(db: Db, held: Held, until: Date): Promise<boolean> {
  const data = { leaseUntil: until }
  const { count } = await db.job.updateMany({ where: whereHeld(held), data })
  return count === 1
}

/** The run moved on, so what failed before counts no longer; kept at once, in case the worker dies in this try. */
export async function forgetTries(db: Db, jobId: string): Promise<void> {
  await db.job.updateMany({ where: { id: jobId, status: 'running' }, data: { tries: 0 } })
}

export type Ending =
  | { status: 'done' | 'failed' | 'cancelled'; reason: string | null; now: Date }
  | { status: 'queued'; tries: number }

/** Lets go of a job: ended, or back in the queue. False = it was no longer this owner's to end. */
export async function releaseJob(db: Db, held: Held, ending: Ending): Promise<boolean> {
  const free = { leaseOwner: null, leaseUntil: null }
  const data =
    ending.status === 'queued'
      ? { status: 'queued', tries: ending.tries, ...free }
      : { status: ending.status, reason: ending.reason, endedAt: ending.now, ...free }
  const { count } = await withDatabaseErrors(async () =>
    db.job.updateMany({ where: whereHeld(held), data }),
  )
  return count === 1
}

/**
 * Puts jobs back in the queue whose worker is gone: its lease ran out, or `isAlive` knows its process has ended.
 * The run folder and the try count stay, so that the next claim continues where that worker stopped.
 */
export async function recoverJobs(
  db: Db,
  now: Date,
  isAlive: (pid: number) => boolean,
): Promise<number> {
  const running = await db.job.findMany({ where: { status: 'running' } })
  const workers = new Map((await db.worker.findMany()).map(({ id, pid }) => [id, pid]))
  let recovered = 0
  for (const { id, leaseOwner, leaseUntil } of running) {
    const pid = leaseOwner === null ? undefined : workers.get(leaseOwner)
    const held = leaseUntil !== null && leaseUntil > now && (pid === undefined || isAlive(pid))
    if (held) continue
    const where = { id, status: 'running', leaseOwner, leaseUntil }
    const data = { status: 'queued', leaseOwner: null, leaseUntil: null }
    recovered += (await db.job.updateMany({ where, data })).count
  }
  return recovered
}

function whereHeld({ jobId, owner }: Held) {
  return { id: jobId, status: 'running', leaseOwner: owner }
}
