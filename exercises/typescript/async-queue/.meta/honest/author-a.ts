export interface AsyncQueueOptions {
  concurrency: number
}

export interface AddOptions {
  priority?: number
  signal?: AbortSignal
}

export type Task<T> = (signal: AbortSignal) => T | PromiseLike<T>

/** A task that has been added but not started. */
interface Waiting {
  readonly priority: number
  readonly signal: AbortSignal | undefined
  start(): void
  cancel(): void
}

function isThenable(value: unknown): value is PromiseLike<unknown> {
  return (
    ((typeof value === 'object' && value !== null) || typeof value === 'function') &&
    typeof (value as { then?: unknown }).then === 'function'
  )
}

export class AsyncQueue {
  readonly #concurrency: number
  /** The waiting tasks by priority; a set keeps the order in which they were added. */
  readonly #queues = new Map<number, Set<Waiting>>()
  #waiting = 0
  #running = 0
  #drainedCallbacks: (() => void)[] = []
  #idleCallbacks: (() => void)[] = []

  constructor(options: AsyncQueueOptions) {
    const { concurrency } = options
    if (!Number.isInteger(concurrency) || concurrency < 1) {
      throw new RangeError(`concurrency must be a positive integer: ${concurrency}`)
    }
    this.#concurrency = concurrency
  }

  get waiting(): number {
    this.#dropAborted()
    return this.#waiting
  }

  get running(): number {
    return this.#running
  }

  add<T>(task: Task<T>, options: AddOptions = {}): Promise<T> {
    const { priority = 0, signal } = options
    if (signal?.aborted) return Promise.reject(signal.reason)

    return new Promise<T>((resolve, reject) => {
      let started = false

      const entry: Waiting = {
        priority,
        signal,
        start: () => {
          started = true
          this.#run(task, signal, onAbort, resolve, reject)
        },
        cancel: () => {
          signal?.removeEventListener('abort', onAbort)
          reject(signal?.reason)
        },
      }

      const onAbort = (): void => {
        if (!started) this.#remove(entry)
        entry.cancel()
        this.#notify()
      }

      signal?.addEventListener('abort', onAbort)
      this.#enqueue(entry)
      this.#startWaiting()
    })
  }

  whenDrained(): Promise<void> {
    this.#dropAborted()
    if (this.#waiting === 0) return Promise.resolve()
    return new Promise((resolve) => this.#drainedCallbacks.push(resolve))
  }

  whenIdle(): Promise<void> {
    this.#dropAborted()
    if (this.#waiting === 0 && this.#running === 0) return Promise.resolve()
    return new Promise((resolve) => this.#idleCallbacks.push(resolve))
  }

  #run<T>(
    task: Task<T>,
    signal: AbortSignal | undefined,
    onAbort: () => void,
    resolve: (value: T | PromiseLike<T>) => void,
    reject: (reason: unknown) => void,
  ): void {
    this.#running++

    const free = (): void => {
      this.#running--
      this.#startWaiting()
      this.#notify()
    }
    const settle = (action: () => void): void => {
      signal?.removeEventListener('abort', onAbort)
      action()
    }

    let result: T | PromiseLike<T>
    let isPromise: boolean
    try {
      result = task(signal ?? new AbortController().signal)
      isPromise = isThenable(result)
    } catch (error) {
      settle(() => reject(error))
      queueMicrotask(free)
      return
    }

    if (!isPromise) {
      settle(() => resolve(result))
      queueMicrotask(free)
      return
    }

    Promise.resolve(result).then(
      (value) => {
        settle(() => resolve(value))
        free()
      },
      (error: unknown) => {
        settle(() => reject(error))
        free()
      },
    )
  }

  #enqueue(entry: Waiting): void {
    const queue = this.#queues.get(entry.priority)
    if (queue === undefined) this.#queues.set(entry.priority, new Set([entry]))
    else queue.add(entry)
    this.#waiting++
  }

  #remove(entry: Waiting): void {
    const queue = this.#queues.get(entry.priority)
    if (queue?.delete(entry)) {
      this.#waiting--
      if (queue.size === 0) this.#queues.delete(entry.priority)
    }
  }

  #next(): Waiting | undefined {
    let best: number | undefined
    for (const priority of this.#queues.keys()) {
      if (best === undefined || priority > best) best = priority
    }
    if (best === undefined) return undefined
    for (const entry of this.#queues.get(best)!) return entry
    return undefined
  }

  #startWaiting(): void {
    while (this.#running < this.#concurrency) {
      const entry = this.#next()
      if (entry === undefined) break
      this.#remove(entry)
      // The signal may be just on its way to tell us.
      if (entry.signal?.aborted) entry.cancel()
      else entry.start()
    }
    this.#notify()
  }

  /**
   * The listeners of a signal are called one after another. Whoever asks in between must not see
   * tasks whose signal is aborted although we have not been told yet.
   */
  #dropAborted(): void {
    for (const queue of this.#queues.values()) {
      for (const entry of queue) {
        if (entry.signal?.aborted) {
          this.#remove(entry)
          entry.cancel()
        }
      }
    }
    this.#notify()
  }

  #notify(): void {
    if (this.#waiting > 0) return
    for (const callback of this.#drainedCallbacks.splice(0)) callback()
    if (this.#running > 0) return
    for (const callback of this.#idleCallbacks.splice(0)) callback()
  }
}
