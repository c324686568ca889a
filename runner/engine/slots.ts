import { type Episode, isScored, type Slot, slotKey } from '#lib/domain/record/index.ts'
import { countOf } from '#lib/domain/text/index.ts'

/** State of each slot of a run: its sealed attempts, and whether another one is needed. */
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

  /** Returns the attempt that counts: the last one. */
  last(slot: Pick<Slot, 'taskId' | 'repetition'>): Episode | null {
    return this.attempts(slot).at(-1) ?? null
  }

  /**
   * Returns true if a slot is settled: by a scored attempt, by a task that cannot be judged here, or by the maximum
   * number of void attempts.
   */
  isSettled(slot: Pick<Slot, 'taskId' | 'repetition'>): boolean {
    const last = this.last(slot)
    if (!last) return false
    const { outcome } = last
    if (isScored(outcome.status)) return true
    if (outcome.status === 'void' && outcome.cause === 'reference-fails') return true
    const voids = this.attempts(slot).filter((episode) => episode.outcome.status === 'void').length
    return voids >= this.#maxAttempts
  }

  all(): Episode[] {
    return [...this.#bySlot.values()].flat()
  }
}

/** Consecutive attempts without any work of the agent, after which a run stops. */
const MAX_UNWORKED = 3
const UNWORKED: ReadonlySet<string | undefined> = new Set([
  ...(['never-answered', 'never-asked', 'setup-failed'] as const),
])

/** Stops a run whose agent does not start working: a wrong key, model, parameter or set-up would use up every slot. */
export class WorkWatch {
  #inARow = 0

  /** The reason to start no further attempt, and what to change; null = the agent works. */
  reason: string | null = null

  add({ outcome }: Episode): void {
    const isUnworked = outcome.status === 'void' && UNWORKED.has(outcome.cause)
    if (outcome.status === 'cancelled') return
    this.#inARow = isUnworked ? this.#inARow + 1 : 0
    if (!isUnworked || this.#inARow < MAX_UNWORKED) return
    this.reason ??= `${countOf(this.#inARow, 'attempt')} in a row were no measurement: ${outcome.reason}. Fix this (key, model, agent version or its set-up), try it with --first 1, then resume the run`
  }
}
