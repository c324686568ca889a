import { statfs } from 'node:fs/promises'
import { database } from '#lib/db/database.ts'
import { databaseError } from '#lib/db/database-error.ts'
import { queueState } from '#lib/db/job-store.ts'
import { lastBeat } from '#lib/db/worker-store.ts'
import { env } from '#lib/env.ts'
import { AppError } from '#lib/errors.ts'

/** A worker beats every two seconds; this long without a beat, and it is gone or stuck. */
const WORKER_GONE_MS = 10_000

export type Health = {
  status: 'ok' | 'degraded' | 'down'
  database: { ok: boolean; problem: string | null }
  queue: { queued: number; running: number; oldestQueuedMs: number | null } | null
  worker: { alive: boolean; lastBeatMs: number | null } | null
  disk: { freeBytes: number | null }
}

/** How this server is. down = the database cannot be used; degraded = pages work, but no worker fills the board. */
export async function getHealth(now: Date): Promise<Health> {
  const [kept, freeBytes] = await Promise.all([askDatabase(now), readFreeBytes()])
  const disk = { freeBytes }
  if ('problem' in kept) {
    const database = { ok: false, problem: kept.problem }
    return { status: 'down', database, queue: null, worker: null, disk }
  }
  const status = kept.worker.alive ? 'ok' : 'degraded'
  return { status, database: { ok: true, problem: null }, ...kept, disk }
}

async function askDatabase(now: Date) {
  try {
    const db = database()
    const [{ queued, running, oldestQueuedAt }, beat] = await Promise.all([
      queueState(db),
      lastBeat(db),
    ])
    const since = (instant: Date | null) =>
      instant && Math.max(0, now.getTime() - instant.getTime())
    const lastBeatMs = since(beat)
    const oldestQueuedMs = since(oldestQueuedAt === null ? null : new Date(oldestQueuedAt))
    return {
      queue: { queued, running, oldestQueuedMs },
      worker: { alive: lastBeatMs !== null && lastBeatMs < WORKER_GONE_MS, lastBeatMs },
    }
  } catch (error) {
    const named = databaseError(error)
    return { problem: named instanceof AppError ? named.message : 'the database cannot be read' }
  }
}

async function readFreeBytes(): Promise<number | null> {
  try {
    const { bavail, bsize } = await statfs(env().dataDir)
    return bavail * bsize
  } catch {
    return null
  }
}
