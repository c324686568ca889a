import { PairMemory } from './pair-p-values.ts'
import type { Placement } from './place-rows.ts'
import type { StatisticAnswer } from './statistic-result.ts'
import type { TaskCounts } from './task-counts.ts'
import { type ReadRow, readRow } from './void-readings.ts'

/** Cached results of a ranking, so that only changes are computed again. Tallies never change. */
export class RankMemory {
  readonly pairs = new PairMemory()
  readonly #rows = new WeakMap<readonly TaskCounts[], StatisticAnswer<ReadRow>>()
  #placed: { verdicts: Int8Array; placement: readonly Placement[] } | null = null

  /** `readRow`, returning the same object for the same tallies. */
  readRow(tallies: readonly TaskCounts[]): StatisticAnswer<ReadRow> {
    const found = this.#rows.get(tallies) ?? readRow(tallies)
    this.#rows.set(tallies, found)
    return found
  }

  /** Cached placement for these verdicts: one more episode rarely changes any. */
  placement(verdicts: Int8Array, place: () => readonly Placement[]): readonly Placement[] {
    const known = this.#placed
    const placement = known && isSame(known.verdicts, verdicts) ? known.placement : place()
    this.#placed = { verdicts, placement }
    return placement
  }
}

function isSame(one: Int8Array, other: Int8Array): boolean {
  if (one.length !== other.length) return false
  for (let at = 0; at < one.length; at++) if (one[at] !== other[at]) return false
  return true
}
