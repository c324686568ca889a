type Place = { runId: string; taskId: string; repetition: number }

/** A map by run, task and repetition: boards ask for millions of slots, and joining the three to one text costs more. */
export class SlotMap<Value> {
  readonly #runs = new Map<string, Map<string, Map<number, Value>>>()

  get({ runId, taskId, repetition }: Place): Value | undefined {
    return this.#runs.get(runId)?.get(taskId)?.get(repetition)
  }

  has({ runId, taskId, repetition }: Place): boolean {
    return this.#runs.get(runId)?.get(taskId)?.has(repetition) ?? false
  }

  set({ runId, taskId, repetition }: Place, value: Value): void {
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
