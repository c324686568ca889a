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
  const isByRun = [...runsOf(facts), ...runsOf(planned)].every((runs) => runs.length === 1)
  if (!isByRun) return findMissing(facts, planned)
  const runs = new Map(listParts(facts).map((part) => [part[0]?.runId, part]))
  return listParts(planned).flatMap((slots) => {
    const own = runs.get(slots[0]?.runId)
    if (own === undefined) return slots
    const known = missingSlots.get(own)
    if (known?.slots === slots) return known.missing
    const missing = findMissing(own, slots)
    missingSlots.set(own, { slots, missing })
    return missing
  })
}

const runsOf = inParts((slots: readonly PlannedSlot[]) => [
  ...new Set(slots.map(({ runId }) => runId)),
])
/** By the episodes of a run: what they left open. By its slots, which stay, the episodes would stay as well. */
const missingSlots = new WeakMap<
  readonly Ending[],
  { slots: readonly PlannedSlot[]; missing: readonly PlannedSlot[] }
>()

function findMissing(facts: readonly Ending[], planned: readonly PlannedSlot[]) {
  const there = new SlotMap<true>()
  for (const fact of facts) if (fact.status !== 'cancelled') there.set(fact, true)
  return planned.filter((slot) => !there.has(slot))
}
