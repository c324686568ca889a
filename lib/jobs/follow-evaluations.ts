import { setTimeout as pause } from 'node:timers/promises'
import {
  hasOutside,
  type Judge,
  listWaiting,
  listWaitingRuns,
  type WaitingRun,
} from '#lib/db/evaluation-store.ts'
import { listWorkers } from '#lib/db/worker-store.ts'
import type { Verifier } from '#lib/domain/environment.ts'
import { createLog } from '#lib/log.ts'
import { askVerifier, dropOrders, evaluateBatch } from './evaluate-batch.ts'
import type { WorkerContext } from './worker-context.ts'

const LOOK_MS = 2000
/** Episodes that one runner judges, and text of their envelopes: then it is the next sender's turn. */
const MOST_AT_ONCE = 20
const MOST_BYTES = 32 * 1024 * 1024
/** A worker that has been silent for longer is gone. */
const ALIVE_MS = 15_000
const log = createLog('evaluations')

/**
 * Judges the stored solutions of episodes that ran elsewhere until `signal`: one process at a time on the machine, below
 * the priority of our own work, some episodes of one sender and then of the next. How many wait costs nothing: they are
 * rows without an answer.
 */
export async function followEvaluations(context: WorkerContext): Promise<void> {
  const { signal } = context
  const turn: Turn = { verifier: undefined, served: new Map() }
  while (!signal.aborted) {
    let kept = 0
    try {
      if (await isFirst(context)) kept = await takeTurn(context, turn)
    } catch (error) {
      if (!signal.aborted) log.error('evaluations broke, please report this bug', { error })
    }
    if (kept === 0) await pause(LOOK_MS, undefined, { signal }).catch(() => {})
  }
}

type Turn = {
  /** Undefined = not asked yet; null = no sandbox. */
  verifier: Verifier | null | undefined
  /** When each sender had its last turn, as a number that grows. */
  served: Map<string, number>
}

async function takeTurn({ db, signal, boards }: WorkerContext, turn: Turn): Promise<number> {
  if (turn.verifier === undefined) {
    if (!(await hasOutside(db))) return 0
    await dropOrders()
    turn.verifier = await askVerifier(signal)
    if (turn.verifier === undefined) return 0
  }
  const { verifier, served } = turn
  const judge: Judge = { digest: verifier?.digest ?? null, hasSandbox: verifier !== null }
  const now = new Date()
  const run = chooseRun(await listWaitingRuns(db, judge, now), served)
  if (!run) return 0
  served.delete(run.sender)
  served.set(run.sender, Math.max(0, ...served.values()) + 1)
  const limits = { judge, now, most: MOST_AT_ONCE, mostBytes: MOST_BYTES }
  const waiting = await listWaiting(db, run.runId, limits)
  const onKept = () => boards.request(run.suiteId)
  const kept = await evaluateBatch(waiting, { db, signal, verifier, onKept })
  if (kept > 0) log.info('solutions evaluated', { runId: run.runId, kept, before: run.waiting })
  return kept
}

/** Of whoever was not served for the longest time the oldest run. */
function chooseRun(runs: readonly WaitingRun[], served: ReadonlyMap<string, number>) {
  const turnOf = ({ sender }: WaitingRun) => served.get(sender) ?? 0
  return [...runs].sort((a, b) => turnOf(a) - turnOf(b))[0] ?? null
}

/** Of several workers one evaluates, so that nothing is judged twice. */
async function isFirst({ db, workerId }: WorkerContext): Promise<boolean> {
  const workers = await listWorkers(db)
  const alive = workers.filter(({ heartbeatAt }) => Date.now() - heartbeatAt < ALIVE_MS)
  return alive.every(({ id }) => workerId <= id)
}
