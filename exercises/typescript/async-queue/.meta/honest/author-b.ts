export interface AsyncQueueOptions {
  concurrency: number
}

export interface AddOptions {
  priority?: number
  signal?: AbortSignal
}

export type Task<T> = (signal: AbortSignal) => T | PromiseLike<T>

/** A task that waits. The order in the list is the order in which they are started. */
interface Waiting {
  readonly priority: number
  readonly signal: AbortSignal | undefined
  readonly start: () => void
}

/** Somebody who waits for the queue, and the condition. */
interface Watcher {
  readonly holds: () => boolean
  readonly fulfil: () => void
}

export class AsyncQueue {
  readonly #concurrency: number
  readonly #waiting: Waiting[] = []
  #watchers: readonly Watcher[] = []
  #running = 0

  constructor(options: AsyncQueueOptions) {
    const { concurrency } = options
    if (!Number.isInteger(concurrency) || concurrency < 1) {
      throw new RangeError(`concurrency must be a positive integer, not ${concurrency}`)
    }
    this.#concurrency = concurrency
  }

  get waiting(): number {
    return this.#waiting.filter(isWanted).length
  }

  get running(): number {
    return this.#running
  }

  add<T>(task: Task<T>, options: AddOptions = {}): Promise<T> {
    const { priority = 0, signal } = options
    return new Promise<T>((resolve, reject) => {
      if (signal?.aborted) {
        reject(signal.reason)
        return
      }
      const cancel = (): void => {
        reject(signal?.reason)
        this.#remove(entry)
        this.#notify()
      }
      const finish = (settle: () => void): void => {
        signal?.removeEventListener('abort', cancel)
        settle()
        this.#free()
      }
      const entry: Waiting = {
        priority,
        signal,
        start: () => {
          const { result, settled } = callTask(task, signal ?? new AbortController().signal)
          // Without a promise there is nothing left to be cancelled.
          if (settled) signal?.removeEventListener('abort', cancel)
          result.then(
            (value) => finish(() => resolve(value)),
            (error: unknown) => finish(() => reject(error)),
          )
        },
      }
      signal?.addEventListener('abort', cancel)
      if (this.#running < this.#concurrency) this.#start(entry)
      else this.#enqueue(entry)
    })
  }

  whenDrained(): Promise<void> {
    return this.#when(() => this.waiting === 0)
  }

  whenIdle(): Promise<void> {
    return this.#when(() => this.waiting === 0 && this.#running === 0)
  }

  #start(entry: Waiting): void {
    this.#running += 1
    entry.start()
  }

  /** Behind all tasks of the same or a greater priority. */
  #enqueue(entry: Waiting): void {
    let index = this.#waiting.length
    while (index > 0 && this.#waiting[index - 1].priority < entry.priority) index -= 1
    this.#waiting.splice(index, 0, entry)
  }

  #remove(entry: Waiting): void {
    const index = this.#waiting.indexOf(entry)
    if (index >= 0) this.#waiting.splice(index, 1)
  }

  /** A slot has become free. Tasks whose signal has been aborted are about to leave by themselves. */
  #free(): void {
    this.#running -= 1
    const next = this.#waiting.find(isWanted)
    if (next !== undefined) {
      this.#remove(next)
      this.#start(next)
    }
    this.#notify()
  }

  #when(holds: () => boolean): Promise<void> {
    if (holds()) return Promise.resolve()
    return new Promise((fulfil) => {
      this.#watchers = [...this.#watchers, { holds, fulfil }]
    })
  }

  #notify(): void {
    const ready = this.#watchers.filter(({ holds }) => holds())
    this.#watchers = this.#watchers.filter((watcher) => !ready.includes(watcher))
    ready.forEach(({ fulfil }) => fulfil())
  }
}

function isWanted({ signal }: Waiting): boolean {
  return !signal?.aborted
}

/** What the task does, as a promise; `settled` if it has done so without one. */
function callTask<T>(
  task: Task<T>,
  signal: AbortSignal,
): { readonly result: Promise<T>; readonly settled: boolean } {
  try {
    const answer = task(signal)
    const settled = !isThenable(answer)
    return { result: Promise.resolve(answer), settled }
  } catch (error) {
    return { result: Promise.reject(error), settled: true }
  }
}

function isThenable(value: unknown): boolean {
  return (
    ((typeof value === 'object' && value !== null) || typeof value === 'function') &&
    'then' in value &&
    typeof value.then === 'function'
  )
}
