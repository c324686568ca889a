import { type Episode, type Slot, slotKey } from '#lib/domain/record/index.ts'
import { countOf, formatCost } from '#lib/domain/text/index.ts'

type Place = Pick<Slot, 'taskId' | 'repetition'>

/** A run's spending against its cap, in millionths of a US dollar. */
export type SpendReport = {
  capMicroUsd: number
  /** Sealed and running attempts together; attempts of unknown cost count with their estimate. */
  spentMicroUsd: number
  /** Sealed attempts of unknown cost. */
  unknownAttempts: number
  /** Why no further attempt may start: the cap is used up, or spending is unknown; null = one may. */
  closed: 'reached' | 'unknown' | null
}

/** Number of attempts of unknown cost, with none of known cost, after which the cap can no longer be enforced. */
const MAX_UNKNOWN = 3

/**
 * Tracks a run's cost against its cap. The cap is checked before each attempt and ends none: a run exceeds it by the
 * running attempts at most. Unknown is not 0: an attempt of unknown cost (the runner was killed, a response was
 * abandoned) counts as the plan's limit per episode, else as the most expensive known attempt.
 *
 * The cap is a way to execute a plan, like concurrency, not part of it: episodes before and after it belong to one
 * sample, so a stopped run continues under the same digest once the cap is raised.
 */
export class RunSpending {
  readonly #capMicroUsd: number
  readonly #pinnedMicroUsd: number | null
  readonly #known: number[] = []
  readonly #running = new Map<string, () => number>()
  #unknown = 0

  constructor(capMicroUsd: number, pinnedMicroUsd: number | null) {
    this.#capMicroUsd = capMicroUsd
    this.#pinnedMicroUsd = pinnedMicroUsd
  }

  /** Watches an attempt with a gateway: `spent` returns its known cost so far. */
  watch(place: Place, spent: () => number): void {
    this.#running.set(slotKey(place), spent)
  }

  /** Adds a sealed attempt; from here on its envelope states its cost. */
  add(episode: Pick<Episode, 'taskId' | 'repetition' | 'usage'>): void {
    this.#running.delete(slotKey(episode))
    const cost = episode.usage?.costMicroUsd ?? null
    if (cost === null) this.#unknown += 1
    else this.#known.push(cost)
  }

  report(): SpendReport {
    const running = [...this.#running.values()].map((spent) => spent())
    const estimate = this.#pinnedMicroUsd ?? (this.#known.length > 0 ? Math.max(...this.#known) : 0)
    const spentMicroUsd = Math.round(sum(this.#known) + sum(running) + this.#unknown * estimate)
    const isBlind = estimate === 0 && this.#unknown >= MAX_UNKNOWN
    const closed = spentMicroUsd >= this.#capMicroUsd ? 'reached' : isBlind ? 'unknown' : null
    return {
      capMicroUsd: this.#capMicroUsd,
      spentMicroUsd,
      unknownAttempts: this.#unknown,
      closed,
    }
  }
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0)
}

/** Describes a run and its cap in one sentence; `missing` = planned episodes that are not settled. */
export function describeSpending(spend: SpendReport, missing: number): string {
  const { capMicroUsd, spentMicroUsd, unknownAttempts, closed } = spend
  const unknown =
    unknownAttempts > 0
      ? ` (the cost of ${countOf(unknownAttempts, 'attempt')} is unknown and estimated)`
      : ''
  const used = `${formatCost(spentMicroUsd)} of the spend cap of ${formatCost(capMicroUsd)} used${unknown}`
  if (closed === null || missing === 0) return used
  const left = `${countOf(missing, 'planned episode')} not run`
  if (closed === 'reached') return `${used}: ${left}; continue with a higher --spend-cap`
  return `the cost of ${countOf(unknownAttempts, 'attempt')} is unknown, so the spend cap cannot be enforced: ${left}; continue with --max-cost in the plan, or without --spend-cap`
}
