import { setTimeout as pause } from 'node:timers/promises'
import { listCancelled } from '#lib/db/change-job.ts'
import type { Db } from '#lib/db/database.ts'
import { createLog } from '#lib/log.ts'

/** A person who cancels should see it happen: the worker looks this often, and only while it works on something. */
const LOOK_MS = 150
const log = createLog('jobs')

/** Tells each running job of one worker when somebody wants it stopped. */
export class CancelWatch {
  readonly #db: Db
  readonly #owner: string
  readonly #watched = new Map<string, AbortController>()
  #isLooking = false

  constructor(db: Db, owner: string) {
    this.#db = db
    this.#owner = owner
  }

  /** A signal that fires when the job is to be stopped; `end` when it has ended by itself. */
  watch(jobId: string): { cancelled: AbortSignal; end: () => void } {
    const controller = new AbortController()
    this.#watched.set(jobId, controller)
    void this.#look()
    return { cancelled: controller.signal, end: () => this.#watched.delete(jobId) }
  }

  async #look(): Promise<void> {
    if (this.#isLooking) return
    this.#isLooking = true
    while (this.#watched.size > 0) {
      await this.#lookOnce().catch((error: unknown) => {
        log.warn('cancelled jobs could not be checked', { error })
      })
      await pause(LOOK_MS)
    }
    this.#isLooking = false
  }

  async #lookOnce(): Promise<void> {
    for (const jobId of await listCancelled(this.#db, this.#owner)) {
      this.#watched.get(jobId)?.abort('cancelled')
    }
  }
}
