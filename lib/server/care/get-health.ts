import { stat } from 'node:fs/promises'
import { setTimeout as pause } from 'node:timers/promises'
import { findLastDone } from '../../db/audit-store.ts'
import { canWrite, countStuckLeases, type Db, database, isSound } from '../../db/database.ts'
import { databaseError } from '../../db/database-error.ts'
import { countWorkers, isWorkerAlive, lastHeartbeat } from '../../db/job-lease.ts'
import { queueState } from '../../db/job-store.ts'
import { type Health, listProblems } from '../../domain/reports/index.ts'
import { currentVersion, env } from '../../env.ts'
import { AppError } from '../../errors.ts'
import { createLog } from '../../log.ts'
import { processWide } from '../../process-wide.ts'
import { askStore, type StoreState } from '../evidence/configured-store.ts'
import { countLeftOut } from '../evidence/left-out.ts'
import { diskState } from './disk-state.ts'

/** An expired lease may be taken over at any moment; one that expired this long ago is stuck. */
const STUCK_MS = 30_000
const startedAt = new Date(performance.timeOrigin).toISOString()

/** Probes have no rate limit, so concurrent ones share one check. */
const underWay = processWide(
  'health checks',
  (): { health: Promise<Health> | null; ready: Promise<boolean> | null } => ({
    health: null,
    ready: null,
  }),
)

/**
 * Returns the health of this server. down = the database cannot be used; degraded = pages work, and a person has to
 * act.
 */
export function getHealth(now: Date): Promise<Health> {
  underWay.health ??= checkHealth(now).finally(() => {
    underWay.health = null
  })
  return underWay.health
}

async function checkHealth(now: Date): Promise<Health> {
  const [state, disk, store] = await Promise.all([askDatabase(now), diskState(now), askStore(now)])
  const facts = { ...state, disk, leftOut: countLeftOut() }
  const problems = [...listProblems(facts), ...STORE_PROBLEMS[store]]
  const status = !state.database.ok ? 'down' : problems.length > 0 ? 'degraded' : 'ok'
  return { status, version: currentVersion(), startedAt, ...facts, problems }
}

const STORE_PROBLEMS: Readonly<Record<StoreState, readonly string[]>> = {
  ok: [],
  down: [
    'The evidence store cannot be reached. New evidence waits on this machine until it is back.',
  ],
  refused: [
    'The evidence store refuses this server. Run proofboard server evidence check to see why; new evidence waits on this machine.',
  ],
}

type DatabaseFacts = Pick<Health, 'database' | 'queue' | 'worker' | 'backup'>

async function askDatabase(now: Date): Promise<DatabaseFacts> {
  try {
    const db = database()
    const before = (ms: number) => new Date(now.getTime() - ms)
    const [{ queued, running, oldestQueuedAt }, stuckLeases, beat, workers, backedUp] =
      await Promise.all([
        queueState(db),
        countStuckLeases(db, before(STUCK_MS)),
        lastHeartbeat(db, now),
        countWorkers(db, now),
        findLastDone(db, 'backup.create'),
      ])
    const since = (instant: Date | null) =>
      instant && Math.max(0, now.getTime() - instant.getTime())
    const lastBeatMs = since(beat)
    const oldestQueuedMs = since(oldestQueuedAt === null ? null : new Date(oldestQueuedAt))
    const alive = isWorkerAlive(lastBeatMs)
    return {
      database: { ok: true, problem: null, ...(await checkedDatabase(db, now)) },
      queue: { queued, running, oldestQueuedMs, stuckLeases },
      worker: { alive, workers, lastBeatMs },
      backup: { lastMs: since(backedUp?.at ?? null) },
    }
  } catch (error) {
    const named = databaseError(error)
    const problem = named instanceof AppError ? named.message : 'the database cannot be read'
    const database = { ok: false, writable: null, integrity: null, problem }
    return { database, queue: null, worker: null, backup: null }
  }
}

/**
 * Returns whether this server can work: the database responds, accepts writes, and is still the file that was opened.
 */
export function isReady(now: Date): Promise<boolean> {
  underWay.ready ??= checkReady(now).finally(() => {
    underWay.ready = null
  })
  return underWay.ready
}

async function checkReady(now: Date): Promise<boolean> {
  try {
    await queueState(database())
    return (await isWritable(database(), now)) && (await askStore(now)) !== 'refused'
  } catch {
    return false
  }
}

/** Reuse of the write test, which takes the write lock for a moment, while the endpoint is public. */
const WRITABLE_FRESH_MS = 5000
/** Timeout of the response, even while another connection holds the lock. */
const WRITABLE_WITHIN_MS = 2000
/**
 * Interval of the integrity check, which reads the whole file and blocks this process. Skipped where it takes seconds.
 */
const SOUND_FRESH_MS = 3_600_000
const MAX_CHECKED_BYTES = 500_000_000

const log = createLog('health')

type Checked = Pick<Health['database'], 'writable' | 'integrity'>

type HealthChecks = {
  written: { at: number; writable: boolean } | null
  sound: { at: number; integrity: NonNullable<Checked['integrity']> } | null
  isLooking: boolean
}

/** Shared by the endpoint and the system page, so that the file is read once for both. */
const seen = processWide(
  'health',
  (): HealthChecks => ({ written: null, sound: null, isLooking: false }),
)

/** Returns the expensive checks of the database, recent or refreshed in the background. */
async function checkedDatabase(db: Db, now: Date): Promise<Checked> {
  const at = now.getTime()
  if (!seen.sound || isOlder(seen.sound.at, at, SOUND_FRESH_MS)) lookBehind(now)
  return { writable: await isWritable(db, now), integrity: seen.sound?.integrity ?? null }
}

async function isWritable(db: Db, now: Date): Promise<boolean> {
  const at = now.getTime()
  if (seen.written && !isOlder(seen.written.at, at, WRITABLE_FRESH_MS)) return seen.written.writable
  const late = pause(WRITABLE_WITHIN_MS, false, { ref: false })
  const writable = await Promise.race([canWrite(db).catch(() => false), late])
  seen.written = { at, writable }
  return writable
}

/** Compares absolute times, because the clock may have been set back since. */
const isOlder = (then: number, now: number, maxMs: number) => Math.abs(now - then) > maxMs

function lookBehind(now: Date): void {
  if (seen.isLooking) return
  seen.isLooking = true
  setImmediate(() => {
    look(now)
      .catch((error: unknown) => log.warn('the database could not be scanned', { error }))
      .finally(() => {
        seen.isLooking = false
      })
  })
}

async function look(now: Date): Promise<void> {
  const { database: place, databaseFile } = env()
  // A database server checks its own files.
  if (place !== databaseFile) return
  if ((await stat(databaseFile)).size > MAX_CHECKED_BYTES) return
  const integrity = { ok: isSound(databaseFile), checkedAt: now.toISOString() }
  seen.sound = { at: now.getTime(), integrity }
  if (!integrity.ok) log.error('the database file is damaged: restore a backup')
}
