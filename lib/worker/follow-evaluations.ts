import { setTimeout as pause } from 'node:timers/promises'
import { hostId } from '#lib/setup/host.mjs'
import type { Db } from '../db/db.ts'
import { isShared } from '../db/dialect.ts'
import {
  type AvailableVerifier,
  hasUploadedEpisodes,
  listPendingEvaluations,
  listPendingRuns,
  type PendingEvaluation,
  type PendingRun,
} from '../db/evaluation-store.ts'
import { listAliveWorkers } from '../db/job-lease.ts'
import { findRun } from '../db/run-store.ts'
import { isFrozen, type Verifier } from '../domain/record/index.ts'
import { createLog } from '../log.ts'
import { evidenceStore } from '../server/evidence/configured-store.ts'
import { findOwnFiles, type IsHere } from '../server/evidence/own-files.ts'
import { evaluateBatch, inspectVerifier, removeEvaluationRequests } from './evaluate-batch.ts'
import { logFailure } from './log-failure.ts'
import type { WorkerContext } from './worker-context.ts'

const EVALUATIONS_MS = 2000
/** Episodes per runner process, and text of their envelopes, before the next sender is served. */
const MAX_AT_ONCE = 20
const MAX_BYTES = 32 * 1024 * 1024
/** Time for another host to upload the files of a submission into the bucket. */
const SETTLED_MS = 10 * 60_000
/** Delay before a run without any result here is looked at again. */
const RETRY_MS = 10_000
const log = createLog('evaluations')

/**
 * Evaluates the stored solutions of uploaded episodes until `signal`: one process at a time on the machine, below the
 * priority of local work, a batch per sender in turn. Pending episodes cost nothing: they are rows without an
 * evaluation.
 */
export async function followEvaluations(context: WorkerContext): Promise<void> {
  const { signal } = context
  const schedule: Schedule = { verifier: undefined, served: new Map(), later: new Map() }
  while (!signal.aborted) {
    let stored = 0
    try {
      const isHere = findOwnFiles()
      if (await isFirst(context, isHere !== null))
        stored = await evaluateNext(context, schedule, isHere)
    } catch (error) {
      if (!signal.aborted) logFailure(log, 'evaluations broke', error)
    }
    if (stored === 0) await pause(EVALUATIONS_MS, undefined, { signal }).catch(() => {})
  }
}

type Schedule = {
  /** Undefined = not queried yet; null = no sandbox. */
  verifier: Verifier | null | undefined
  /** When each sender was last served, as a number that grows. */
  served: Map<string, number>
  /** Runs without any result here, and when they are looked at again, by a monotonic clock. */
  later: Map<string, number>
}

async function evaluateNext(
  { db, signal, boards }: WorkerContext,
  schedule: Schedule,
  isHere: IsHere | null,
): Promise<number> {
  if (schedule.verifier === undefined) {
    if (!(await hasUploadedEpisodes(db))) return 0
    await removeEvaluationRequests()
    schedule.verifier = await inspectVerifier(signal)
    if (schedule.verifier === undefined) return 0
  }
  const { verifier } = schedule
  const next = await findNext(db, schedule, isHere)
  if (!next) return 0
  const { run, waiting } = next
  const onKept = () => boards.request(run.suiteId)
  const isSettled = (one: PendingEvaluation) => isSettledEverywhere(db, one)
  const plan = (await findRun(db, run.runId))?.plan
  const arms = plan && isFrozen(plan) ? plan.arms : undefined
  const batch = { db, signal, verifier, isSettled, onKept, ...(arms && { arms }) }
  const stored = await evaluateBatch(waiting, batch)
  if (stored > 0) log.info('solutions evaluated', { runId: run.runId, stored, before: run.waiting })
  else schedule.later.set(run.runId, performance.now() + RETRY_MS)
  return stored
}

/** Finds the next run with episodes that can be evaluated here, and those; null = there is none now. */
async function findNext(
  db: Db,
  { verifier = null, served, later }: Schedule,
  isHere: IsHere | null,
): Promise<{ run: PendingRun; waiting: PendingEvaluation[] } | null> {
  const available: AvailableVerifier = {
    digest: verifier?.digest ?? null,
    hasSandbox: verifier !== null,
  }
  const now = new Date()
  const limits = { verifier: available, now, limit: MAX_AT_ONCE, maxBytes: MAX_BYTES, isHere }
  for (const [runId, until] of later) if (until <= performance.now()) later.delete(runId)
  const runs = await listPendingRuns(db, available, now)
  for (;;) {
    const open = runs.filter(({ runId }) => !later.has(runId))
    const run = chooseRun(open, served)
    if (!run) return null
    const waiting = await listPendingEvaluations(db, run.runId, limits)
    if (waiting.length === 0) {
      later.set(run.runId, performance.now() + RETRY_MS)
      continue
    }
    served.delete(run.sender)
    served.set(run.sender, Math.max(0, ...served.values()) + 1)
    return { run, waiting }
  }
}

/** Waits for the bucket: files that another host received appear after their rows. */
function isSettledEverywhere(db: Db, { receivedAt }: PendingEvaluation): boolean {
  if (!isShared(db) || evidenceStore().kind === 'disk') return true
  // A time in the future comes from a clock that was set back since.
  return Math.abs(Date.now() - new Date(receivedAt).getTime()) > SETTLED_MS
}

/** Returns the oldest run of the sender served least recently. */
function chooseRun(runs: readonly PendingRun[], served: ReadonlyMap<string, number>) {
  const lastServed = ({ sender }: PendingRun) => served.get(sender) ?? 0
  return [...runs].sort((a, b) => lastServed(a) - lastServed(b))[0] ?? null
}

/**
 * Returns whether this worker evaluates: one of all, or one per host with its own files, so that nothing is evaluated
 * twice.
 */
async function isFirst({ db, workerId }: WorkerContext, ofHost: boolean): Promise<boolean> {
  const alive = await listAliveWorkers(db)
  const here = hostId()
  const others = ofHost ? alive.filter((worker) => worker.hostId === here) : alive
  return others.every(({ id }) => workerId <= id)
}
