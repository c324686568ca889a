import type { Programs } from '../bundle/build-programs.ts'
import { TestProcess } from './test-process.ts'

/** Keeps one test process started ahead. Every process it ever gave out is killed when the gate closes. */
export class TestProcessPool {
  readonly #programs: Promise<Programs>
  readonly #living = new Set<TestProcess>()
  #spare: TestProcess | null = null
  #closed = false
  readonly #killAll = (): void => {
    for (const one of this.#living) one.kill()
  }

  constructor(programs: Promise<Programs>) {
    this.#programs = programs
    process.on('exit', this.#killAll)
    this.refill()
  }

  /** A process that nobody used yet. */
  async take(): Promise<TestProcess> {
    const programs = await this.#programs
    const spare = this.#spare
    this.#spare = null
    if (spare?.isAlive) return spare
    if (this.#closed) throw new Error('the gate was closed')
    return this.#spawn(programs)
  }

  /** Starts the next one; called when a test process has ended, so that the two do not compete. */
  refill(): void {
    void this.#programs.then(
      (programs) => {
        if (!this.#closed && !this.#spare?.isAlive) this.#spare = this.#spawn(programs)
      },
      () => undefined,
    )
  }

  async release(used: TestProcess): Promise<void> {
    await used.close()
    this.#living.delete(used)
  }

  async close(): Promise<void> {
    this.#closed = true
    process.off('exit', this.#killAll)
    await Promise.all([...this.#living].map((one) => this.release(one)))
  }

  #spawn(programs: Programs): TestProcess {
    const one = new TestProcess(programs)
    this.#living.add(one)
    return one
  }
}
