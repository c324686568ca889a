import type { OutcomeStatus } from './outcome.ts'
import { inParts, listParts } from './parts.ts'

/** A slot of a run: exactly one counted episode is planned for it. */
export type PlannedSlot = { runId: string; taskId: string; repetition: number }

/** A map by run, task and repetition: boards ask for millions of slots, and joining the three to one text costs more. */
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

  /** In the order in which runs, then tasks, then repetitions came first. */
  values(): Value[] {
    return [...this.#runs.values()].flatMap((tasks) =>
      [...tasks.values()].flatMap((repetitions) => [...repetitions.values()]),
    )
  }
}

type Ending = PlannedSlot & { status: OutcomeStatus }

/** Planned episodes that have not ended: missing or cancelled. Void ones have ended. */
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

/** By a part of the episodes: what it left open. By their slots, which stay, the episodes would stay as well. */
const missingSlots = new WeakMap<
  readonly Ending[],
  { count: number; slots: readonly object[]; missing: readonly PlannedSlot[] }
>()

type Paired = { own: readonly Ending[] | null; slots: (readonly PlannedSlot[])[] }

/**
 * The parts of the slots in their order, neighbours with the part of the episodes that has all of their run; null = they
 * are not parted by runs.
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

/** By run, the part with all of its episodes; null = some run is in several. */
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
