import { database } from '../../db/database.ts'
import { countProgress } from '../../db/episode-store.ts'
import { findJobOfRun } from '../../db/job-store.ts'
import { findRun, type RunRecord, sumAttempts } from '../../db/run-store.ts'
import { estimateLeft, type RunState } from '../../domain/api/index.ts'
import { createLog } from '../../log.ts'
import { processWide } from '../../process-wide.ts'
import { describeRun, findStops } from '../runs/runs.ts'

const LOOK_MS = 500
const log = createLog('live')

type Shared = { watch: StateWatch; readers: number }
const states = processWide('run states', () => new Map<string, Shared>())

/** A run's state, shared by all its readers. */
export type RunStateReader = {
  current: () => RunState
  isOver: () => boolean
  version: () => number
  onChange: (wake: () => void) => () => void
  close: () => void
}

class StateWatch {
  current: RunState
  version = 0
  readonly waiting = new Set<() => void>()
  readonly #look: () => Promise<RunState | null>
  #timer: NodeJS.Timeout | undefined
  #closed = false

  constructor(first: RunState, look: () => Promise<RunState | null>) {
    this.current = first
    this.#look = look
    this.#schedule()
  }

  close(): void {
    this.#closed = true
    clearTimeout(this.#timer)
  }

  #schedule(): void {
    if (this.#closed) return
    this.#timer = setTimeout(() => void this.#take(), LOOK_MS)
    this.#timer.unref()
  }

  async #take(): Promise<void> {
    const now = await this.#look().catch((error: unknown) => {
      log.warn('the state of a run could not be read', { error })
      return null
    })
    if (now && JSON.stringify(now) !== JSON.stringify(this.current)) {
      this.current = now
      this.version++
      const waiting = [...this.waiting]
      this.waiting.clear()
      for (const wake of waiting) wake()
    }
    this.#schedule()
  }
}

/** Watches a run until `close`; null = no such run. */
export async function watchRunState(runId: string): Promise<RunStateReader | null> {
  const run = await findRun(database(), runId)
  const first = run && (await readRunState(runId, run))
  if (!run || !first) return null
  const look = () => readRunState(runId, run)
  const own = states.get(runId) ?? { watch: new StateWatch(first, look), readers: 0 }
  states.set(runId, own)
  own.readers++
  const { watch } = own
  let released = false
  return {
    current: () => watch.current,
    isOver: () => isOver(watch.current),
    version: () => watch.version,
    onChange: (wake) => {
      watch.waiting.add(wake)
      return () => watch.waiting.delete(wake)
    },
    close() {
      if (released) return
      released = true
      own.readers--
      if (own.readers > 0) return
      states.delete(runId)
      watch.close()
    },
  }
}

/** Reads a run's state, its cost and what is left of it; null = no such run. A given `run` is not read again. */
export async function readRunState(
  runId: string,
  known: RunRecord | null = null,
): Promise<RunState | null> {
  const db = database()
  const run = known ?? (await findRun(db, runId))
  if (!run) return null
  const [job, progress, { times, spend }, stops] = await Promise.all([
    findJobOfRun(db, runId),
    countProgress(db, [runId]),
    sumAttempts(db, runId),
    findStops(db, [run]),
  ])
  const summary = describeRun(run, job, progress.get(runId), stops.get(runId))
  const { status, reason, planned, owed, solved, voids, voidAttempts, startedAt, endedAt } = summary
  const { sealed, cancelled } = isOver(summary)
    ? summary
    : { sealed: summary.sealed - summary.cancelled, cancelled: 0 }
  const hands = job?.payload.concurrency ?? 1
  const left =
    status === 'running' ? estimateLeft(times, { remaining: planned - sealed, hands }) : null
  return {
    status,
    reason,
    planned,
    owed,
    sealed,
    solved,
    voids,
    voidAttempts,
    cancelled,
    startedAt,
    endedAt,
    spend,
    left: left && { ...left, hands },
  }
}

/** Returns whether nothing more will arrive. */
function isOver({ status }: Pick<RunState, 'status'>): boolean {
  return status !== 'queued' && status !== 'running'
}
