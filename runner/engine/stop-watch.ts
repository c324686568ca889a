import { decideStop, type SideEnds, type StopDecision } from '#lib/domain/board/index.ts'
import {
  isScored,
  type Plan,
  type Slot,
  type StopSide,
  slotKey,
  stopSlots,
} from '#lib/domain/record/index.ts'
import type { SlotLedger } from './slots.ts'

/** Applies the stopping rule of a plan with two arms to the sealed episodes of its run; a plan without one never stops. */
export class StopWatch {
  readonly #plan: Plan
  readonly #slots: SlotLedger
  readonly #order: ReadonlyMap<string, number>

  constructor(plan: Plan, slots: SlotLedger) {
    this.#plan = plan
    this.#slots = slots
    const sides = this.#hasRule ? [stopSlots(plan, 'a'), stopSlots(plan, 'b')] : []
    this.#order = new Map(
      sides.flatMap((own) => own.map((slot, index) => [slotKey(slot), 2 * index] as const)),
    )
  }

  /** A pair of plans is decided by the command that runs both. */
  get #hasRule(): boolean {
    return this.#plan.stop !== undefined && this.#plan.stop.pair === undefined
  }

  /** Null = nothing is decided yet. Once it is, the same episodes decide the same. */
  get decision(): StopDecision | null {
    if (!this.#hasRule) return null
    const sides = { a: this.#endsOf('a'), b: this.#endsOf('b') }
    const found = decideStop(sides)
    return found && { ...found, side: 'a' }
  }

  /** The slots up to each look, one list a look; of a plan without a rule one list. */
  parts(slots: readonly Slot[]): Slot[][] {
    const looks = this.#hasRule ? (this.#plan.stop?.looks ?? []) : []
    const cuts = looks.length === 0 ? [Number.POSITIVE_INFINITY] : looks
    return cuts.map((look, index) =>
      slots.filter((slot) => {
        const at = this.#order.get(slotKey(slot)) ?? 0
        return at < look && at >= (cuts[index - 1] ?? 0)
      }),
    )
  }

  /** True for a slot after the look that decided: it is not required. */
  isAfter(slot: Slot, decision: StopDecision | null): boolean {
    return decision !== null && (this.#order.get(slotKey(slot)) ?? 0) >= decision.after
  }

  #endsOf(side: StopSide): SideEnds {
    let costMicroUsd: number | null = 0
    const ends = stopSlots(this.#plan, side).map((slot) => {
      const last = this.#slots.last(slot)
      if (last === null || !this.#slots.isSettled(slot)) return '-'
      const cost = last.usage?.costMicroUsd ?? null
      costMicroUsd = costMicroUsd === null || cost === null ? null : costMicroUsd + cost
      if (!isScored(last.outcome.status)) return 'v'
      return last.outcome.status === 'solved' ? '1' : '0'
    })
    return { plan: this.#plan, ends: ends.join(''), costMicroUsd }
  }
}
