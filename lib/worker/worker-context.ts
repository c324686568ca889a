import { setTimeout as pause } from 'node:timers/promises'
import type { Db } from '../db/database.ts'
import { listSuites } from '../db/suite-store.ts'
import { createLog } from '../log.ts'

/** What one worker's parts share. `signal` fires when the worker has to end. */
export type WorkerContext = {
  db: Db
  workerId: string
  signal: AbortSignal
  boards: BoardRefresher
}

const DEBOUNCE_MS = 300
/** A board that takes long to compute is computed more rarely: this share of the time at most. */
const LARGEST_SHARE = 0.25

const log = createLog('board')

/** Builds the boards of every version of a suite with results again. */
export type BuildBoards = (suiteId: string) => Promise<void>

/** Keeps the boards' snapshots fresh, at most one computation at a time and never one an episode. */
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

  /** Says that something arrived; the snapshot follows shortly. */
  request(suiteId: string): void {
    this.#dirty.add(suiteId)
    this.#timer ??= setTimeout(() => this.#start(), this.#pauseMs)
  }

  /** Says so of every suite: their snapshots follow at once. */
  async requestAll(): Promise<void> {
    for (const { suiteId } of await listSuites(this.#db)) this.#dirty.add(suiteId)
    this.#start()
  }

  /** Waits until nothing requested is left undone. */
  async settle(): Promise<void> {
    this.#start()
    await this.#working
  }

  /** Waits likewise, but for `mostMs` at most: what is left undone then, the next start of a worker computes. */
  async close(mostMs: number): Promise<void> {
    const over = new AbortController()
    const limit = pause(mostMs, undefined, { signal: over.signal }).catch(() => {})
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
        this.#pauseMs = Math.max(DEBOUNCE_MS, (performance.now() - start) / LARGEST_SHARE)
      } catch (error) {
        if (this.#isClosed) return
        log.error('a board could not be computed: the earlier one stays', { suiteId, error })
      }
    }
  }
}
