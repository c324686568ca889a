import type { OutcomeStatus } from './outcome.ts'

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
    const all: Value[] = []
    for (const tasks of this.#runs.values())
      for (const repetitions of tasks.values())
        for (const value of repetitions.values()) all.push(value)
    return all
  }
}

/** Sorts by run, task and repetition. */
export function bySlot(a: PlannedSlot, b: PlannedSlot): number {
  return (
    compareText(a.runId, b.runId) || compareText(a.taskId, b.taskId) || a.repetition - b.repetition
  )
}

export function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}

type Ending = PlannedSlot & { status: OutcomeStatus }

/**
 * Returns planned episodes that have not ended: missing or cancelled. Void ones have ended. `planned` is sorted by slot.
 */
export function listMissing(
  facts: readonly Ending[],
  planned: readonly PlannedSlot[],
): PlannedSlot[] {
  // Facts of a board are sorted as well, and both lists are then read once, without a map of thousands of slots.
  const ended = facts.filter(({ status }) => status !== 'cancelled').sort(bySlot)
  let at = 0
  return planned.filter((slot) => {
    for (let one = ended[at]; one; one = ended[++at]) {
      const order = bySlot(one, slot)
      if (order >= 0) return order > 0
    }
    return true
  })
}
