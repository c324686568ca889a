import { setTimeout as pause } from 'node:timers/promises'
import type pg from 'pg'
import { inUse } from './database-error.ts'
import { aliveAt, WORKER_TIMEOUT_MS } from './job-lease.ts'
import { processName } from './postgres/postgres-url.ts'
import type { SqliteFile } from './sqlite-file.ts'

/** Last activity of each process that uses a database, in milliseconds, by a name of the process. */
type Heartbeats = ReadonlyMap<string, number>

/** Reads the recent heartbeats of workers of any version from a database file. */
export function readFileHeartbeats(file: SqliteFile, now: Date): Heartbeats {
  const { gt, lt } = aliveAt(now)
  const [since, until] = [gt, lt].map((at) => at.toISOString().replace('Z', '+00:00'))
  if (!file.prepare(`SELECT 1 FROM sqlite_master WHERE name = 'Worker'`).get()) return new Map()
  const sql =
    'SELECT "id", "heartbeatAt" FROM "Worker" WHERE "heartbeatAt" > ? AND "heartbeatAt" < ?'
  const rows = file.prepare(sql).all(since, until) as { id: string; heartbeatAt: string }[]
  return new Map(rows.map(({ id, heartbeatAt }) => [id, Date.parse(heartbeatAt)]))
}

/**
 * Reads the heartbeats of workers and connections of web servers from a server. A host that lost power leaves idle
 * connections.
 */
export async function readServerHeartbeats(client: pg.Client, schema: string): Promise<Heartbeats> {
  const ms = (column: string) => `CAST(EXTRACT(EPOCH FROM ${column}) * 1000 AS double precision)`
  const secondsAgo = (column: string) =>
    `abs(EXTRACT(EPOCH FROM clock_timestamp() - ${column})) * 1000 < ${WORKER_TIMEOUT_MS}`
  const beat = `("heartbeatAt" AT TIME ZONE 'UTC')`
  // Inside a transaction, the server shows the connections as of its start.
  await client.query('SELECT pg_stat_clear_snapshot()')
  const workers = await client.query<{ id: string; at: number }>(
    `SELECT "id", ${ms(beat)} AS "at" FROM "Worker" WHERE ${secondsAgo(beat)}`,
  )
  const connections = await client.query<{ id: string; at: number }>(
    `SELECT 'connection ' || pid AS "id", ${ms('state_change')} AS "at" FROM pg_stat_activity
     WHERE datname = current_database() AND application_name IN ('proofboard', $1) AND ${secondsAgo('state_change')}`,
    [processName(schema)],
  )
  return new Map([...workers.rows, ...connections.rows].map(({ id, at }) => [id, at]))
}

/** Slightly longer than a killed process appears to be alive. */
const WAIT_MS = WORKER_TIMEOUT_MS + 5000
const LOOK_MS = 500

/** Waits until killed processes count as gone. Throws an AppError as soon as one shows activity. */
export async function refuseRunning(place: string, read: () => Promise<Heartbeats> | Heartbeats) {
  const first = await read()
  for (let waited = 0, now = first; now.size > 0; waited += LOOK_MS, now = await read()) {
    const isAlive = [...now].some(([name, at]) => at > (first.get(name) ?? 0))
    if (isAlive || waited > WAIT_MS) throw inUse(place)
    await pause(LOOK_MS)
  }
}
