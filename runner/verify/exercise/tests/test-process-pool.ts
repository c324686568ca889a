import { placeError } from '../../../runner-error.ts'
import type { Programs } from '../bundle/build-programs.ts'
import { explainClosedSandbox, explainWeakerSandbox } from '../grading-sandbox.ts'
import type { GradingSandbox } from '../sandboxed-command.ts'
import type { TestProcessEnd } from '../verifier-types.ts'
import { TestProcess } from './test-process.ts'

/** A slow machine may take its time; a process that is not there by then never will be. */
const START_LIMIT_MS = 60_000
/** For the first one, which decides about the sandbox: a weaker one because of a busy moment would be sealed. */
const START_LIMITS_MS = [START_LIMIT_MS, 2 * START_LIMIT_MS]
/** Processes of one attempt: one for the visible tests and one for the altered ones. */
const SPARES = 2
/** References run in separate processes that are reused, and replaced from time to time. */
const MAX_RUNS = 100

/** Keeps test processes ready. Kills every process that it ever returned when the verifier closes. */
export class TestProcessPool {
  readonly #programs: Promise<Programs>
  readonly #places: readonly GradingSandbox[]
  readonly #living = new Set<TestProcess>()
  readonly #spares: TestProcess[] = []
  readonly #idle: { process: TestProcess; answers: number }[] = []
  #place: Promise<GradingSandbox & { weakerBecause: string | null }>
  #closed = false
  readonly #killAll = (): void => {
    for (const one of this.#living) one.kill()
  }

  constructor(programs: Promise<Programs>, places: readonly GradingSandbox[]) {
    this.#programs = programs
    this.#places = places
    process.on('exit', this.#killAll)
    this.#place = this.#findPlace()
    this.#place.catch(() => undefined)
    this.refill()
  }

  /** The sandbox of this machine; rejects when no test process can be started in any. Asked again, it looks again. */
  get place(): Promise<GradingSandbox & { weakerBecause: string | null }> {
    const place = this.#place
    return place.catch((error) => {
      if (this.#closed) throw error
      // The first caller after a failure starts a new search, which all others share.
      if (this.#place === place) {
        this.#place = this.#findPlace()
        this.#place.catch(() => undefined)
      }
      return this.#place
    })
  }

  /** Settles when a test process waits for work; rejects when none can be started. */
  async ready(): Promise<void> {
    const one = await this.take()
    if (this.#closed) await this.release(one)
    else this.#spares.unshift(one)
  }

  /** An unused process, ready for work. One more is tried when the first does not start. */
  async take(): Promise<TestProcess> {
    const place = await this.place
    const { child } = await this.#programs
    if (this.#closed) throw new Error(WAS_CLOSED)
    const one = this.#takeSpare() ?? this.#spawn(child, place)
    try {
      await within(one.ready)
      return one
    } catch {
      await this.release(one)
    }
    if (this.#closed) throw new Error(WAS_CLOSED)
    const second = this.#spawn(child, place)
    await within(second.ready)
    return second
  }

  /** Lets a process that has never seen a solution do a piece of work; rejects when it did not start. */
  async answer(input: string, timeoutMs: number): Promise<TestProcessEnd> {
    const idle = this.#idle.pop()
    const { process, answers } = idle?.process.isAlive
      ? idle
      : { process: await this.take(), answers: 0 }
    const end = await process.answer(input, timeoutMs)
    const isSpent = end.stoppedBy !== null || !process.isAlive || answers >= MAX_RUNS
    if (isSpent || this.#closed) await this.release(process)
    else this.#idle.push({ process, answers: answers + 1 })
    return end
  }

  /** Starts the next ones; called when test processes have ended, so that they do not compete. */
  refill(): void {
    void Promise.all([this.#place, this.#programs]).then(
      ([place, { child }]) => {
        while (!this.#closed && this.#spares.length < SPARES)
          this.#spares.push(this.#spawn(child, place))
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

  /** The strongest place in which a test process really starts. That first process is kept as a spare. */
  async #findPlace(): Promise<GradingSandbox & { weakerBecause: string | null }> {
    const { child } = await this.#programs
    const [strongest] = this.#places
    let failure: unknown
    const missing = explainWeakerSandbox(strongest)
    for (const place of this.#places) {
      if (this.#closed) break
      const error = await this.#tryPlace(child, place)
      if (error === null)
        return { ...place, weakerBecause: missing ?? (failure ? lastLine(failure) : null) }
      if (place.isRequired) throw placeError(explainClosedSandbox(place, lastLine(error)))
      failure ??= error
    }
    throw failure ?? new Error(WAS_CLOSED)
  }

  /** Null when a first process started there. A busy machine says nothing about a sandbox: late is tried again. */
  async #tryPlace(child: Buffer, place: GradingSandbox): Promise<unknown> {
    const refusal = (await place.prepare?.()) ?? null
    if (refusal !== null) return new Error(refusal)
    // `close` ends only processes that exist, so none may start after it.
    if (this.#closed) return new Error(WAS_CLOSED)
    let failure: unknown = null
    for (const limitMs of START_LIMITS_MS) {
      const one = this.#spawn(child, place)
      try {
        await within(one.ready, limitMs)
        this.#spares.push(one)
        return null
      } catch (error) {
        await this.release(one)
        failure = error
      }
      if (this.#closed || !(failure instanceof Late)) break
    }
    return failure
  }

  #takeSpare(): TestProcess | null {
    for (let one = this.#spares.shift(); one; one = this.#spares.shift())
      if (one.isAlive) return one
    return null
  }

  #spawn(program: Buffer, place: GradingSandbox): TestProcess {
    const one = new TestProcess(program, place)
    this.#living.add(one)
    return one
  }
}

/** The last line is what the tool itself said. */
const lastLine = (failure: unknown): string =>
  String((failure as Error).message)
    .trim()
    .split('\n')
    .at(-1)
    ?.slice(0, 300) ?? 'it did not start'

const WAS_CLOSED = 'the verifier was closed'

class Late extends Error {}

async function within(ready: Promise<void>, limitMs = START_LIMIT_MS): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(
      () => reject(new Late(`the test process did not start: no sign in ${limitMs / 1000} s`)),
      limitMs,
    )
  })
  try {
    await Promise.race([ready, late])
  } finally {
    clearTimeout(timer)
  }
}
