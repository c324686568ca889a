/**
 * The harness's own time in an episode, by part: what is neither the library's nor the app's. Parts that run beside each
 * other add up to more than the whole.
 */
export class HarnessClock {
  readonly #parts = new Map<string, number>()
  #total = 0

  /** A phase: counts to the whole. */
  async phase<T>(run: () => Promise<T>): Promise<T> {
    const start = performance.now()
    try {
      return await run()
    } finally {
      this.#total += performance.now() - start
    }
  }

  /** A part of a phase. */
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
