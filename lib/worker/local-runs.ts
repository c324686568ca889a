import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { hostId, isSilent } from '#lib/setup/host.mjs'
import { findBoard } from '../db/board-store.ts'
import { type Db, database, readClock } from '../db/database.ts'
import { isWorkerAlive, lastHeartbeat } from '../db/job-lease.ts'
import { lastBoardEntry } from '../db/ledger-store.ts'
import { withdrawEmptyRun } from '../db/plan-store.ts'
import { refreshBoard } from '../db/refresh-board.ts'
import { findRun } from '../db/run-store.ts'
import { sealRun } from '../db/seal-run.ts'
import { findSuite, findSuiteVersion } from '../db/suite-store.ts'
import { upgradeDatabase } from '../db/upgrade-database.ts'
import { type Board, rowPath } from '../domain/board/index.ts'
import { isRunId } from '../domain/record/index.ts'
import type { Suite } from '../domain/tasks/index.ts'
import { env } from '../env.ts'
import { AppError } from '../errors.ts'
import { createLog } from '../log.ts'
import { locateProcess } from '../processes/is-process-alive.ts'
import { isRunning } from '../server/care/held-runs.ts'
import { withServerDatabase } from '../server/care/with-server-database.ts'
import { saveRunFolder } from './run-job.ts'
import { findAddress, noteAddress } from './server-addresses.ts'
import { syncSuite } from './sync-suites.ts'
import type { WorkerContext } from './worker-context.ts'

const LOOK_MS = 500
const log = createLog('local-runs')

/**
 * Announces a process that works on a run of this data folder without a job, before its first episode: a worker then
 * stores the run's episodes as they are sealed, also when that process is killed.
 */
export function announceLocalRun(runId: string, pid: number): void {
  mkdirSync(noticesFolder(), { recursive: true })
  writeFileSync(noticeOf(readRunId(runId)), `${pid} ${hostId()}`, { mode: 0o600 })
}

/** Validates a run id, which becomes a file name. */
function readRunId(text: string): string {
  if (isRunId(text)) return text
  throw new AppError('invalid-request', `${text.slice(0, 60)} is not a run id`)
}

/** Creates the database if needed: a first run may precede the first server, and its plan has to be registered. */
export async function ensureDatabase(): Promise<void> {
  const { database: place, databaseFile } = env()
  if (place !== databaseFile || !existsSync(databaseFile)) await upgradeDatabase()
}

/** Stores runs of the command line in this data folder, episode by episode, until `signal`. */
export async function followLocalRuns(context: WorkerContext): Promise<void> {
  const { signal } = context
  const forgetAddress = noteAddress()
  while (!signal.aborted) {
    for (const notice of listNotices()) {
      await followOne(notice, context).catch((error: unknown) =>
        log.warn('a run of the command line was not stored yet', { runId: notice.runId, error }),
      )
    }
    await pause(LOOK_MS, undefined, { signal }).catch(() => {})
  }
  forgetAddress()
}

type Notice = { runId: string; pid: number; host: string | undefined }

async function followOne(
  { runId, pid, host }: Notice,
  { db, boards }: WorkerContext,
): Promise<void> {
  // Checked first: what the process seals until it ends is on disk afterwards.
  const found = locateProcess(pid, host)
  // A worker of that machine follows it, unless there is none: the container may have been replaced.
  if (found === 'elsewhere' && (!isSilent(noticeOf(runId)) || (await isRunning(runId)))) return
  const hasEnded = found !== 'alive'
  const imported = existsSync(join(env().runsDir, runId)) ? await saveRunFolder(db, runId) : 0
  if (imported > 0) {
    const run = await findRun(db, runId)
    if (run) boards.request(run.plan.suiteId)
  }
  if (hasEnded) await closeRun(db, runId)
}

/**
 * Seals the stored episodes of a run that has ended. Withdraws a run whose journal shows that no attempt began; a run
 * without its folder is still expected, because its results are missing.
 */
async function closeRun(db: Db, runId: string): Promise<void> {
  const forget = () => rmSync(noticeOf(runId), { force: true })
  try {
    if ((await sealRun(db, runId, new Date())) === 'empty') {
      if (hasBegunNothing(runId)) await withdrawEmptyRun(db, runId, new Date())
      else
        log.warn('the folder of a registered run is gone, so its results are still expected', {
          runId,
        })
    }
  } catch (error) {
    // Lost episodes stay lost; any other failure is retried.
    if (error instanceof AppError && error.code === 'conflict') forget()
    throw error
  }
  forget()
}

/**
 * Returns whether no attempt began. The runner writes its journal before the registration, so a missing journal was
 * removed.
 */
function hasBegunNothing(runId: string): boolean {
  const file = join(env().runsDir, runId, 'journal.ndjson')
  return existsSync(file) && !readFileSync(file, 'utf8').includes('"event":"attempt-started"')
}

function listNotices(): Notice[] {
  if (!existsSync(noticesFolder())) return []
  return readdirSync(noticesFolder()).flatMap((runId) => {
    const noted = readNotice(noticeOf(runId))
    return noted === null ? [] : [{ runId, ...noted }]
  })
}

/** Null = it was removed, or is being written. */
function readNotice(file: string): Omit<Notice, 'runId'> | null {
  try {
    const [text, host] = readFileSync(file, 'utf8').trim().split(' ')
    const pid = Number(text)
    return pid > 0 ? { pid, host } : null
  } catch {
    return null
  }
}

function noticesFolder(): string {
  return join(env().dataDir, 'local-runs')
}

function noticeOf(runId: string): string {
  return join(noticesFolder(), runId)
}

/** A run on the board: its rows with their URLs, and whether a server shows them now. */
type CollectedRun = {
  runId: string
  runUrl: string
  rows: readonly { rowId: string; label: string; isRanked: boolean; url: string }[]
  isServed: boolean
}

/** Time for a live worker to compute the board before it is computed here. */
const BOARD_MS = 20_000
const STEP_MS = 100

/**
 * Adds an ended run to its board: episodes, seal, snapshot. Idempotent, also beside a worker that does the same. Throws
 * an AppError.
 */
export async function collectLocalRun(runId: string): Promise<CollectedRun> {
  return withServerDatabase(() => collect(database(), readRunId(runId)))
}

async function collect(db: Db, runId: string): Promise<CollectedRun> {
  await saveRunFolder(db, runId)
  await closeRun(db, runId)
  const run = await findRun(db, runId)
  if (!run) throw new AppError('not-found', `${runId} has no episodes in this data folder`)
  const suite = await findOrSyncSuite(db, run.plan)
  const isServed = await hasWorker(db)
  const board =
    (isServed ? await awaitBoard(db, suite) : null) ?? (await refreshUntilFresh(db, suite))
  const address = isServed ? findAddress() : env().publicUrl
  const current = await findSuite(db, suite.suiteId)
  const version = current?.digest === suite.digest ? null : suite.digest
  const rows = board.rows
    .filter(({ runIds }) => runIds.includes(runId))
    .map((row) => ({
      rowId: row.rowId,
      label: row.label,
      isRanked: row.rank !== null,
      url: `${address}${rowPath(suite.suiteId, row.rowId, version)}`,
    }))
  return { runId, runUrl: `${address}/runs/${runId}`, rows, isServed }
}

async function findOrSyncSuite(
  db: Db,
  { suiteId, suiteDigest }: { suiteId: string; suiteDigest: Suite['digest'] },
): Promise<Suite> {
  const known = await findSuiteVersion(db, suiteDigest)
  if (known) return known
  await syncSuite(db, suiteId, new AbortController().signal)
  const synced = await findSuiteVersion(db, suiteDigest)
  if (synced) return synced
  const message = `suite ${suiteId} changed since the plan was frozen, so its board is unknown here`
  throw new AppError('not-found', message)
}

async function hasWorker(db: Db): Promise<boolean> {
  const now = await readClock(db)
  const beat = await lastHeartbeat(db, now)
  return isWorkerAlive(beat && now.getTime() - beat.getTime())
}

/** Waits for the worker's board with all ledger entries; null = it took too long. */
async function awaitBoard(db: Db, suite: Suite): Promise<Board | null> {
  for (const end = Date.now() + BOARD_MS; Date.now() < end; await pause(STEP_MS)) {
    const board = await findFreshBoard(db, suite)
    if (board) return board
  }
  return null
}

const MAX_REFRESHES = 5

/**
 * Repeats the refresh while the stored board is stale: of two commands that end together, the one that reads first may
 * write last.
 */
async function refreshUntilFresh(db: Db, suite: Suite): Promise<Board> {
  let board = await refreshBoard(db, suite, new Date())
  for (let tries = 1; tries < MAX_REFRESHES; tries++) {
    const stored = await findFreshBoard(db, suite)
    if (stored) return stored
    board = await refreshBoard(db, suite, new Date())
  }
  return board
}

/** Returns the stored board if it includes all ledger entries. */
async function findFreshBoard(db: Db, { digest }: Suite): Promise<Board | null> {
  const stored = await findBoard(db, digest)
  return stored && stored.ledgerSequence >= (await lastBoardEntry(db)) ? stored.board : null
}
