import { setTimeout as pause } from 'node:timers/promises'
import { type Episode, isScored, type Slot, slotKey } from '#lib/domain/record/index.ts'

/** What is known of each slot of a run: its sealed attempts, and whether another one is wanted. */
export class SlotLedger {
  readonly #bySlot = new Map<string, Episode[]>()
  readonly #maxAttempts: number

  constructor(episodes: readonly Episode[], maxAttempts: number) {
    this.#maxAttempts = maxAttempts
    for (const episode of episodes) this.add(episode)
  }

  add(episode: Episode): void {
    const key = slotKey(episode)
    this.#bySlot.set(key, [...(this.#bySlot.get(key) ?? []), episode])
  }

  attempts(slot: Pick<Slot, 'taskId' | 'repetition'>): readonly Episode[] {
    return this.#bySlot.get(slotKey(slot)) ?? []
  }

  /** The attempt that counts: the last one. */
  last(slot: Pick<Slot, 'taskId' | 'repetition'>): Episode | null {
    return this.attempts(slot).at(-1) ?? null
  }

  /** A slot is settled by a scored attempt, or when as many attempts as allowed were void. */
  isSettled(slot: Pick<Slot, 'taskId' | 'repetition'>): boolean {
    const last = this.last(slot)
    if (!last) return false
    if (isScored(last.outcome.status)) return true
    const voids = this.attempts(slot).filter((episode) => episode.outcome.status === 'void').length
    return voids >= this.#maxAttempts
  }

  all(): Episode[] {
    return [...this.#bySlot.values()].flat()
  }
}

const SHORTEST_PAUSE_MS = 1000
const LONGEST_PAUSE_MS = 60_000

/**
 * How many attempts may be active at once. A failing provider gets fewer requests: each attempt that ends void because
 * of it halves the slots and lets all wait, twice as long each time in a row; each round without failure restores one.
 */
export class Pace {
  readonly #most: number
  #places: number
  #taken = 0
  #calm = 0
  #pauseMs = 0
  #resting: Promise<void> = Promise.resolve()
  readonly #waiting: (() => void)[] = []

  constructor(most: number) {
    this.#most = most
    this.#places = most
  }

  /** Places there are now, for those who watch. */
  get places(): number {
    return this.#places
  }

  /** Runs one attempt when there is a slot; one that `signal` stops early starts too, to end itself; null = not run. */
  async run<T extends Episode | null>(attempt: () => Promise<T>, signal: AbortSignal): Promise<T> {
    while (this.#taken >= this.#places) await new Promise<void>((go) => this.#waiting.push(go))
    this.#taken += 1
    try {
      await this.#resting
      const episode = await attempt()
      if (episode) this.#learn(episode, signal)
      return episode
    } finally {
      this.#taken -= 1
      for (const go of this.#waiting.splice(0)) go()
    }
  }

  #learn({ outcome }: Episode, signal: AbortSignal): void {
    if (outcome.status === 'void' && outcome.fault === 'provider') {
      this.#calm = 0
      this.#places = Math.max(1, Math.floor(this.#places / 2))
      this.#pauseMs = Math.min(LONGEST_PAUSE_MS, Math.max(SHORTEST_PAUSE_MS, this.#pauseMs * 2))
      this.#resting = pause(this.#pauseMs, undefined, { signal }).catch(() => {})
      return
    }
    this.#pauseMs = 0
    this.#calm += 1
    if (this.#calm < this.#places || this.#places >= this.#most) return
    this.#calm = 0
    this.#places += 1
  }
}
