import { setTimeout as sleep } from 'node:timers/promises'
import type { Episode } from '#lib/domain/record/index.ts'

const MIN_PAUSE_MS = 1000
const MAX_PAUSE_MS = 60_000
/** Interval of clock reads during a pause: timers stop while a machine sleeps. */
const CLOCK_CHECK_MS = 30_000

type Pause = { until: string; reason: string }

/**
 * Limits how many attempts are active at once. A failing provider gets fewer requests: each attempt that ends void
 * because of it halves the slots and pauses all, twice as long each time in a row, or until the time that the provider
 * names; each round without failure restores one slot.
 */
export class Pace {
  readonly #max: number
  readonly #onPause: (pause: Pause) => void
  #places: number
  #taken = 0
  #calm = 0
  #pauseMs = 0
  #restsUntil = 0
  #resting: Promise<void> = Promise.resolve()
  readonly #waiting: (() => void)[] = []

  /** `onPause` is called before a wait for a time that the provider named. */
  constructor(max: number, onPause: (pause: Pause) => void = () => {}) {
    this.#max = max
    this.#places = max
    this.#onPause = onPause
  }

  /** Current number of slots, for progress output. */
  get places(): number {
    return this.#places
  }

  /** Runs one attempt when a slot is free; one that `signal` stops early starts too, to end itself; null = not run. */
  async run<T extends Episode | null>(attempt: () => Promise<T>, signal: AbortSignal): Promise<T> {
    while (this.#taken >= this.#places) await new Promise<void>((go) => this.#waiting.push(go))
    this.#taken += 1
    try {
      await this.#rested()
      const episode = await attempt()
      if (episode) this.#learn(episode, signal)
      return episode
    } finally {
      this.#taken -= 1
      for (const go of this.#waiting.splice(0)) go()
    }
  }

  /** Waits for the latest time that the provider named in an earlier part of the run, if it is in the future. */
  resume(sealed: readonly Episode[], signal: AbortSignal): void {
    for (const episode of sealed) this.#restAsAsked(episode, signal)
  }

  /** Waits for all pauses: a longer one may begin while a shorter one ends. */
  async #rested(): Promise<void> {
    for (let resting: Promise<void> | null = null; resting !== this.#resting; ) {
      resting = this.#resting
      await resting
    }
  }

  #learn(episode: Episode, signal: AbortSignal): void {
    const { outcome } = episode
    if (outcome.status === 'void' && outcome.fault === 'provider') {
      this.#calm = 0
      this.#places = Math.max(1, Math.floor(this.#places / 2))
      if (this.#restAsAsked(episode, signal)) return
      this.#pauseMs = Math.min(MAX_PAUSE_MS, Math.max(MIN_PAUSE_MS, this.#pauseMs * 2))
      if (Date.now() + this.#pauseMs > this.#restsUntil)
        this.#rest(Date.now() + this.#pauseMs, signal)
      return
    }
    this.#pauseMs = 0
    this.#calm += 1
    if (this.#calm < this.#places || this.#places >= this.#max) return
    this.#calm = 0
    this.#places += 1
  }

  #restAsAsked({ outcome }: Episode, signal: AbortSignal): boolean {
    if (outcome.status !== 'void' || outcome.retryAt === undefined) return false
    const untilMs = Date.parse(outcome.retryAt)
    if (untilMs <= Math.max(Date.now(), this.#restsUntil)) return untilMs > Date.now()
    this.#onPause({ until: outcome.retryAt, reason: outcome.reason })
    this.#rest(untilMs, signal)
    return true
  }

  #rest(untilMs: number, signal: AbortSignal): void {
    this.#restsUntil = untilMs
    this.#resting = sleepUntil(untilMs, signal)
  }
}

/** Resolves at the given time of the wall clock, or as soon as `signal` aborts. */
async function sleepUntil(untilMs: number, signal: AbortSignal): Promise<void> {
  while (!signal.aborted && Date.now() < untilMs)
    await sleep(Math.min(CLOCK_CHECK_MS, untilMs - Date.now()), undefined, { signal }).catch(
      () => {},
    )
}
