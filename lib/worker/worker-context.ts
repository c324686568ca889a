import { setTimeout as pause } from 'node:timers/promises'
import type { Db } from '../db/database.ts'
import { listSuites } from '../db/suite-store.ts'
import { createLog } from '../log.ts'
import type { Notify } from './notifier.ts'

/** State shared by one worker's parts. `signal` fires when the worker has to end. */
export type WorkerContext = {
  db: Db
  workerId: string
  signal: AbortSignal
  boards: BoardRefresher
  /** Absent = no webhook is set. */
  notify?: Notify
}

const DEBOUNCE_MS = 300
/** Maximum share of the time spent on computing a board: a slow board is computed less often. */
const MAX_SHARE = 0.25

const log = createLog('board')

/** Builds the boards of every version of a suite with results again. */
export type BuildBoards = (suiteId: string) => Promise<void>

/** Keeps the boards' snapshots fresh, with at most one computation at a time and never one per episode. */
export class BoardRefresher {
  readonly #db: Db
  readonly #build: BuildBoards
  readonly #dirty = new Set<string>()
  #timer: NodeJS.Timeout | undefined
  #working: Promise<void> = Promise.resolve()
  #pauseMs = DEBOUNCE_MS
  #isClosed = false

  constructor(db: Db, build: BuildBoards) {
    this.#db = db
    this.#build = build
  }

  /** Requests a new snapshot after something arrived. */
  request(suiteId: string): void {
    this.#dirty.add(suiteId)
    this.#timer ??= setTimeout(() => this.#start(), this.#pauseMs)
  }

  /** Requests new snapshots of every suite at once. */
  async requestAll(): Promise<void> {
    for (const { suiteId } of await listSuites(this.#db)) this.#dirty.add(suiteId)
    this.#start()
  }

  /** Waits until every request is done. */
  async settle(): Promise<void> {
    this.#start()
    await this.#working
  }

  /** Waits until every request is done, for at most `maxMs`; the next worker computes the rest at its start. */
  async close(maxMs: number): Promise<void> {
    const over = new AbortController()
    const limit = pause(maxMs, undefined, { signal: over.signal }).catch(() => {})
    await Promise.race([this.settle(), limit])
    over.abort()
    this.#isClosed = true
  }

  #start(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    this.#working = this.#working.then(() => this.#work())
  }

  async #work(): Promise<void> {
    const suiteIds = [...this.#dirty]
    this.#dirty.clear()
    for (const suiteId of suiteIds) {
      if (this.#isClosed) return
      const start = performance.now()
      try {
        await this.#build(suiteId)
        this.#pauseMs = Math.max(DEBOUNCE_MS, (performance.now() - start) / MAX_SHARE)
      } catch (error) {
        if (this.#isClosed) return
        log.error('a board could not be computed: the earlier one stays', { suiteId, error })
      }
    }
  }
}
