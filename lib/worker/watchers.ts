import { setTimeout as pause } from 'node:timers/promises'
import { z } from 'zod'
import { recordAudit } from '../db/audit-store.ts'
import { listStaleSuites } from '../db/board-store.ts'
import { listAliveWorkers } from '../db/job-lease.ts'
import { lastBoardEntry } from '../db/ledger-store.ts'
import {
  copyRegrades,
  countRegrades,
  dropUntakenRequest,
  listRegradeRequests,
  type RegradeRequest,
  removeRegradeRequest,
  takeRegradeRequest,
} from '../db/regrade-store.ts'
import { findRun } from '../db/run-store.ts'
import { inTransaction } from '../db/transaction.ts'
import { SYSTEM_ACTOR } from '../domain/accounts/index.ts'
import { parseJson } from '../domain/text/index.ts'
import { env } from '../env.ts'
import { createLog } from '../log.ts'
import { spawnRunner } from '../processes/spawn-runner.ts'
import { HeadSigner } from '../server/care/ledger-heads.ts'
import { hasFilesOf } from '../server/care/regrade.ts'
import { applyRetention } from '../server/care/retention.ts'
import { sweepIngest } from '../server/ingest/evidence-staging.ts'
import { sweepUploads } from '../server/ingest/upload-files.ts'
import { logFailure } from './log-failure.ts'
import type { WorkerContext } from './worker-context.ts'

const REGRADES_MS = 2000
/** Pause after a scan, as a multiple of its duration. */
const PAUSE_FACTOR = 20
const regradeLog = createLog('regrade')

const summarySchema = z.object({
  regraded: z.number(),
  agree: z.number(),
  disagree: z.number(),
  skipped: z.array(z.object({ episodeId: z.string(), reason: z.string() })),
})

/**
 * Runs the queued regrades, one after another, until `signal`; when a worker dies, another worker of its host restarts
 * its regrade. The boards follow every new regrade, including those of the command line or another host.
 */
export async function followRegrades(context: Follower & Pick<WorkerContext, 'workerId'>) {
  const { db, signal, boards } = context
  let counts = await countRegrades(db).catch(() => new Map<string, number>())
  const lookForRegrades = withPauses(() => copyRegrades(db, env().runsDir))
  while (!signal.aborted) {
    try {
      const queued = await listRegradeRequests(db)
      if (queued.length > 0) await handleRequests(queued, context)
      await lookForRegrades()
      const now = await countRegrades(db)
      const changed = [...now].filter(([runId, count]) => count !== counts.get(runId))
      for (const [runId] of changed) {
        const run = await findRun(db, runId)
        if (run) boards.request(run.plan.suiteId)
      }
      counts = now
    } catch (error) {
      logFailure(regradeLog, 'a regrade broke', error)
    }
    await pause(REGRADES_MS, undefined, { signal }).catch(() => {})
  }
}

/** Skips calls that follow too soon after a slow one, such as a scan of very many run folders. */
function withPauses(look: () => Promise<void>): () => Promise<void> {
  let pausedUntil = 0
  return async () => {
    const began = performance.now()
    if (began < pausedUntil) return
    await look()
    pausedUntil = performance.now() + PAUSE_FACTOR * (performance.now() - began)
  }
}

type Queued = Awaited<ReturnType<typeof listRegradeRequests>>

/** Runs one queued regrade, and ends those for which no host was found. */
async function handleRequests(
  queued: Queued,
  { db, workerId, signal }: Pick<WorkerContext, 'db' | 'workerId' | 'signal'>,
): Promise<void> {
  const alive = new Set((await listAliveWorkers(db)).map(({ id }) => id))
  const request = await takeRegradeRequest(db, queued, { workerId, alive, hasFiles: hasFilesOf })
  if (request) await regrade(db, request, signal)
  await endForgotten(db, queued)
}

/** Time that a regrade waits for a host that has the files of its run. */
const REQUEST_TIMEOUT_MS = 24 * 60 * 60_000

async function endForgotten(db: WorkerContext['db'], queued: Queued): Promise<void> {
  const now = new Date()
  const isForgotten = ({ takenBy, requestedAt }: Queued[number]) =>
    takenBy === null && now.getTime() - requestedAt.getTime() > REQUEST_TIMEOUT_MS
  for (const { runId, requestedBy, episodeId } of queued.filter(isForgotten)) {
    const detail = { requestedBy, episodeId, problem: 'no host has the files of this run' }
    const record = {
      actor: SYSTEM_ACTOR,
      action: 'run.regrade-failed',
      target: runId,
      detail,
    } as const
    await inTransaction(db, async (tx) => {
      if (await dropUntakenRequest(tx, runId)) await recordAudit(tx, record, now)
    })
  }
}

async function regrade(db: WorkerContext['db'], request: RegradeRequest, signal: AbortSignal) {
  const { runId, episodeId, requestedBy } = request
  const args = ['regrade', '--run', runId, '--json', '--stop-with-stdin']
  if (episodeId !== null) args.push('--episode', episodeId)
  let lastLine = ''
  const onStdout = (line: string) => {
    if (line.trim()) lastLine = line
  }
  const { exitCode, lastMessage } = await spawnRunner(args, { onStdout }, signal)
  if (signal.aborted) return // the request stays for the next worker
  const summary = summarySchema.safeParse(parseJson(lastLine))
  const detail = summary.success
    ? { requestedBy, episodeId, ...summary.data, skipped: countReasons(summary.data.skipped) }
    : { requestedBy, episodeId, exitCode, problem: lastMessage.slice(0, 500) }
  const action = summary.success ? 'run.regraded' : 'run.regrade-failed'
  await inTransaction(db, async (tx) => {
    await recordAudit(tx, { actor: SYSTEM_ACTOR, action, target: runId, detail }, new Date())
    await removeRegradeRequest(tx, runId)
  })
  regradeLog[summary.success ? 'info' : 'error'](action, { runId, ...detail })
}

function countReasons(skipped: z.infer<typeof summarySchema>['skipped']): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const { reason } of skipped) counts[reason] = (counts[reason] ?? 0) + 1
  return counts
}

const LEDGER_MS = 1000
const ledgerLog = createLog('ledger')

type Follower = Pick<WorkerContext, 'db' | 'boards' | 'signal'>

/**
 * Updates boards after corrections by other processes, until `signal`: each snapshot records which ledger entry it
 * includes, so the next round makes up for a missed one or a failed computation. Signs each new head of the ledger.
 */
export async function followLedger({ db, boards, signal }: Follower): Promise<void> {
  const heads = new HeadSigner(db)
  while (!signal.aborted) {
    await heads
      .sign()
      .catch((error: unknown) => ledgerLog.warn('the head was not signed', { error }))
    try {
      const behind = await listStaleSuites(db, await lastBoardEntry(db))
      for (const suiteId of behind) boards.request(suiteId)
    } catch (error) {
      ledgerLog.warn('the ledger could not be checked', { error })
    }
    await pause(LEDGER_MS, undefined, { signal }).catch(() => {})
  }
}

const RETENTION_MS = 600_000
const retentionLog = createLog('retention')

/** Keeps run folders within their quota and age until `signal`; does nothing when neither is set. */
export async function followRetention({ db, signal }: Pick<WorkerContext, 'db' | 'signal'>) {
  const { logQuotaBytes, keepLogsDays } = env()
  if (logQuotaBytes === null && keepLogsDays === null) return
  while (!signal.aborted) {
    try {
      const { chosen } = await applyRetention(db, SYSTEM_ACTOR, new Date())
      const bytes = chosen.reduce((sum, file) => sum + file.bytes, 0)
      if (chosen.length > 0) retentionLog.info('logs pruned', { files: chosen.length, bytes })
    } catch (error) {
      retentionLog.error('logs could not be pruned', { error })
    }
    await pause(RETENTION_MS, undefined, { signal }).catch(() => {})
  }
}

const UPLOADS_MS = 60_000
const ingestLog = createLog('ingest')

/**
 * Cleans up after uploads until `signal`: unfinished commits of other processes, and files that were never committed.
 */
export async function followUploads({
  db,
  signal,
}: Pick<WorkerContext, 'db' | 'signal'>): Promise<void> {
  while (!signal.aborted) {
    try {
      await sweepIngest(db)
      await sweepUploads(db, new Date())
    } catch (error) {
      ingestLog.warn('what uploads left could not be tidied up', { error })
    }
    await pause(UPLOADS_MS, undefined, { signal }).catch(() => {})
  }
}
