import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { digestBytes } from '../domain/digest/index.ts'
import {
  isRunId,
  parseRegradeLines,
  REGRADES_FILE,
  type RegradeLine,
} from '../domain/record/index.ts'
import { createLog } from '../log.ts'
import type { Db, DbOrTx } from './db.ts'
import { jsonRows } from './dialect.ts'

const MAX_BYTES = 20_000_000
const log = createLog('regrade')

/** Lists the regrades of one run from all hosts, oldest first. */
export async function listRegrades(db: DbOrTx, runId: string): Promise<RegradeLine[]> {
  return (await listRegradesOfRuns(db, [runId])).get(runId) ?? []
}

/** Lists the regrades of these runs by run id; a run without one is left out. */
export async function listRegradesOfRuns(
  db: DbOrTx,
  wanted: readonly string[],
): Promise<Map<string, RegradeLine[]>> {
  const regraded = await countRegrades(db)
  const found = new Map<string, RegradeLine[]>()
  for (const runId of wanted.filter((id) => regraded.has(id))) {
    const rows = await db.regrade.findMany({
      where: { runId },
      orderBy: [{ at: 'asc' }, { digest: 'asc' }],
    })
    found.set(runId, parseRegradeLines(rows.map(({ line }) => line).join('\n')))
  }
  return found
}

/** Counts regrades by run id; they are never removed. Runs without one are left out. */
export async function countRegrades(db: DbOrTx): Promise<Map<string, number>> {
  const rows = await db.$queryRaw<{ runId: string; count: bigint | number }[]>`
    SELECT "runId", COUNT(*) AS "count" FROM "Regrade" GROUP BY "runId"`
  return new Map(rows.map(({ runId, count }) => [runId, Number(count)]))
}

/** Sizes of the files that this process has copied, by path. Files only grow. */
const copied = new Map<string, number>()

/**
 * Copies the regrades in this machine's run folders into the database, where every host finds them: the runner, which
 * creates them, has no database. Skips copied ones. Call it outside of a transaction: a rollback would lose what this
 * process remembers as copied.
 */
export async function copyRegrades(db: Db, runsDir: string): Promise<void> {
  for (const runId of existsSync(runsDir) ? readdirSync(runsDir) : [])
    await copyRegradesOf(db, runsDir, runId)
}

/** Copies the regrades of one run; does nothing for an invalid run id. */
export async function copyRegradesOf(db: Db, runsDir: string, runId: string): Promise<void> {
  if (!isRunId(runId)) return
  const file = join(runsDir, runId, REGRADES_FILE)
  const grown = readGrown(file)
  if (grown === null) return
  await insertLines(db, runId, parseRegradeLines(grown.text))
  copied.set(file, grown.size)
}

async function insertLines(db: DbOrTx, runId: string, lines: RegradeLine[]): Promise<void> {
  const rows = lines.map((line) => {
    const text = JSON.stringify(line)
    return { runId, digest: digestBytes(text), at: line.at, line: text }
  })
  await db.$executeRaw`
    INSERT INTO "Regrade" ("runId", "digest", "at", "line")
    SELECT "runId", "digest", "at", "line"
    FROM ${jsonRows(db, JSON.stringify(rows), { text: ['runId', 'digest', 'at', 'line'] })}
    WHERE true
    ON CONFLICT ("runId", "digest") DO NOTHING`
}

/** Size recorded for a file that could not be read, which is logged once. */
const UNREADABLE = -1

/** Reads a file that grew. Null = nothing is new, or it cannot be read: one file must not delay all boards. */
function readGrown(file: string): { size: number; text: string } | null {
  try {
    const found = statSync(file, { throwIfNoEntry: false })
    if (!found?.isFile() || found.size === 0 || copied.get(file) === found.size) return null
    if (found.size > MAX_BYTES) throw new Error(`it is larger than ${MAX_BYTES} bytes`)
    return { size: found.size, text: readFileSync(file, 'utf8') }
  } catch (error) {
    if (copied.get(file) !== UNREADABLE)
      log.warn('regrades of a run cannot be read', { file, error })
    copied.set(file, UNREADABLE)
    return null
  }
}

export type RegradeRequest = {
  runId: string
  /** Null = every episode of the run. */
  episodeId: string | null
  requestedBy: string
  requestedAt: Date
}

/** Queues a regrade, one per run at a time. False = one is queued already. */
export async function saveRegradeRequest(db: DbOrTx, request: RegradeRequest): Promise<boolean> {
  const { runId, episodeId, requestedBy, requestedAt } = request
  const added = await db.$executeRaw`
    INSERT INTO "RegradeRequest" ("runId", "episodeId", "requestedBy", "requestedAt")
    VALUES (${runId}, ${episodeId}, ${requestedBy}, ${requestedAt})
    ON CONFLICT ("runId") DO NOTHING`
  return added === 1
}

export async function hasRegradeRequest(db: DbOrTx, runId: string): Promise<boolean> {
  return (await db.regradeRequest.count({ where: { runId } })) > 0
}

/** `takenBy`: the worker that runs it; null = not started. */
type QueuedRegrade = RegradeRequest & { takenBy: string | null }

/** Lists queued regrades, oldest first. */
export async function listRegradeRequests(db: DbOrTx): Promise<QueuedRegrade[]> {
  return db.regradeRequest.findMany({ orderBy: { requestedAt: 'asc' } })
}

type Taker = {
  workerId: string
  /** Live workers. A request taken by another worker is free again once that worker is gone. */
  alive: ReadonlySet<string>
  /** Returns whether this host has the files of a run. */
  hasFiles: (runId: string) => boolean
}

/** Takes the first queued regrade that this host can do and no live worker has taken; null = there is none. */
export async function takeRegradeRequest(
  db: DbOrTx,
  queued: readonly QueuedRegrade[],
  { workerId, alive, hasFiles }: Taker,
): Promise<RegradeRequest | null> {
  for (const row of queued) {
    const { runId, takenBy } = row
    const isTaken = takenBy !== null && takenBy !== workerId && alive.has(takenBy)
    if (isTaken || !hasFiles(runId)) continue
    const where = { runId, takenBy }
    const { count } = await db.regradeRequest.updateMany({ where, data: { takenBy: workerId } })
    if (count === 1) return row
  }
  return null
}

/** Removes a finished or impossible request. False = another worker removed it. */
export async function removeRegradeRequest(db: DbOrTx, runId: string): Promise<boolean> {
  return (await db.regradeRequest.deleteMany({ where: { runId } })).count === 1
}

/** Removes a request that no worker has taken. False = one has meanwhile, or it is gone. */
export async function dropUntakenRequest(db: DbOrTx, runId: string): Promise<boolean> {
  return (await db.regradeRequest.deleteMany({ where: { runId, takenBy: null } })).count === 1
}
