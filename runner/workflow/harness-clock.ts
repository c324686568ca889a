/** Measures the harness's own time in an episode, in total and by part. Parallel parts can exceed the total. */
export class HarnessClock {
  readonly #parts = new Map<string, number>()
  #total = 0

  /** Measures a phase, which counts towards the total. */
  async phase<T>(run: () => Promise<T>): Promise<T> {
    const start = performance.now()
    try {
      return await run()
    } finally {
      this.#total += performance.now() - start
    }
  }

  /** Measures a part of a phase. */
  async part<T>(name: string, run: () => Promise<T>): Promise<T> {
    const start = performance.now()
    try {
      return await run()
    } finally {
      this.#parts.set(name, (this.#parts.get(name) ?? 0) + performance.now() - start)
    }
  }

  totalMs(): number {
    return tenths(this.#total)
  }

  parts(): Record<string, number> {
    return Object.fromEntries([...this.#parts].map(([name, ms]) => [name, tenths(ms)]))
  }
}

const tenths = (ms: number) => Math.round(ms * 10) / 10
