import type { OutcomeStatus } from './outcome.ts'
import { inParts, listParts } from './parts.ts'

/** A slot of a run, planned for exactly one counted episode. */
export type PlannedSlot = { runId: string; taskId: string; repetition: number }

/** A map by run, task and repetition: boards look up millions of slots, and joined string keys would cost more. */
export class SlotMap<Value> {
  readonly #runs = new Map<string, Map<string, Map<number, Value>>>()

  get({ runId, taskId, repetition }: PlannedSlot): Value | undefined {
    return this.#runs.get(runId)?.get(taskId)?.get(repetition)
  }

  has({ runId, taskId, repetition }: PlannedSlot): boolean {
    return this.#runs.get(runId)?.get(taskId)?.has(repetition) ?? false
  }

  set({ runId, taskId, repetition }: PlannedSlot, value: Value): void {
    const tasks = this.#runs.get(runId) ?? new Map<string, Map<number, Value>>()
    if (tasks.size === 0) this.#runs.set(runId, tasks)
    const repetitions = tasks.get(taskId) ?? new Map<number, Value>()
    if (repetitions.size === 0) tasks.set(taskId, repetitions)
    repetitions.set(repetition, value)
  }

  /** Values in order of insertion by run, then task, then repetition. */
  values(): Value[] {
    return [...this.#runs.values()].flatMap((tasks) =>
      [...tasks.values()].flatMap((repetitions) => [...repetitions.values()]),
    )
  }
}

type Ending = PlannedSlot & { status: OutcomeStatus }

/** Returns planned episodes that have not ended: missing or cancelled. Void ones have ended. */
export function listMissing(
  facts: readonly Ending[],
  planned: readonly PlannedSlot[],
): readonly PlannedSlot[] {
  const parts = pairParts(facts, planned)
  if (parts === null) return findMissing(facts, planned)
  return parts.flatMap(({ own, slots }) => {
    if (own === null) return slots.flat()
    const known = missingSlots.get(own)
    if (known?.count === own.length && isSameList(known.slots, slots)) return known.missing
    const missing = findMissing(own, slots.flat())
    missingSlots.set(own, { count: own.length, slots, missing })
    return missing
  })
}

/**
 * Open slots by part of the episodes. Keyed by the parts, since the longer-lived slots would keep the episodes in
 * memory.
 */
const missingSlots = new WeakMap<
  readonly Ending[],
  { count: number; slots: readonly object[]; missing: readonly PlannedSlot[] }
>()

type Paired = { own: readonly Ending[] | null; slots: (readonly PlannedSlot[])[] }

/**
 * Pairs each part of the slots with the neighbouring part of the episodes that contains their whole run; null = not
 * split by run.
 */
function pairParts(facts: readonly Ending[], planned: readonly PlannedSlot[]): Paired[] | null {
  const owners = findOwners(facts)
  if (owners === null || runsOf(planned).some((ids) => ids.length !== 1)) return null
  const pairs: Paired[] = []
  for (const slots of listParts(planned)) {
    const own = owners.get(slots[0]?.runId) ?? null
    const last = pairs.at(-1)
    if (last?.own === own) last.slots.push(slots)
    else pairs.push({ own, slots: [slots] })
  }
  return pairs
}

/** Maps each run to the part with all of its episodes; null = some run spans several parts. */
function findOwners(
  facts: readonly Ending[],
): ReadonlyMap<string | undefined, readonly Ending[]> | null {
  const runs = runsOf(facts)
  const pairs = listParts(facts).flatMap((part, index) =>
    (runs[index] ?? []).map((runId) => [runId, part] as const),
  )
  const owners = new Map<string | undefined, readonly Ending[]>(pairs)
  return owners.size === pairs.length ? owners : null
}

const runsOf = inParts((slots: readonly PlannedSlot[]) => [
  ...new Set(slots.map(({ runId }) => runId)),
])

function isSameList(one: readonly unknown[], other: readonly unknown[]): boolean {
  return one.length === other.length && one.every((value, at) => value === other[at])
}

function findMissing(facts: readonly Ending[], planned: readonly PlannedSlot[]) {
  const there = new SlotMap<true>()
  for (const fact of facts) if (fact.status !== 'cancelled') there.set(fact, true)
  return planned.filter((slot) => !there.has(slot))
}
