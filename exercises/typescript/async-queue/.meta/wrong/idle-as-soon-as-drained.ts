// Wrong: whenIdle does not wait for the tasks that are still running.
export interface AsyncQueueOptions {
  concurrency: number
}

export interface AddOptions {
  priority?: number
  signal?: AbortSignal
}

export type Task<T> = (signal: AbortSignal) => T | PromiseLike<T>

interface Job {
  readonly priority: number
  /** Runs the task and settles the promise given to the caller. Never rejects. */
  readonly run: () => Promise<void>
}

export class AsyncQueue {
  readonly #concurrency: number
  /** In the order in which the jobs are going to be started. */
  readonly #waiting: Job[] = []
  readonly #drainWaiters: (() => void)[] = []
  readonly #idleWaiters: (() => void)[] = []
  #running = 0

  constructor({ concurrency }: AsyncQueueOptions) {
    if (!Number.isInteger(concurrency) || concurrency < 1) {
      throw new RangeError('concurrency must be a positive integer')
    }
    this.#concurrency = concurrency
  }

  get waiting(): number {
    return this.#waiting.length
  }

  get running(): number {
    return this.#running
  }

  add<T>(task: Task<T>, options: AddOptions = {}): Promise<T> {
    const { priority = 0, signal = new AbortController().signal } = options
    return new Promise((resolve, reject) => {
      const cancel = () => {
        reject(signal.reason)
        this.#withdraw(job)
      }
      const run = async () => {
        try {
          resolve(await task(signal))
        } catch (error) {
          reject(error)
        } finally {
          signal.removeEventListener('abort', cancel)
        }
      }
      const job: Job = { priority, run }
      if (signal.aborted) return reject(signal.reason)
      signal.addEventListener('abort', cancel, { once: true })
      this.#enqueue(job)
    })
  }

  whenDrained(): Promise<void> {
    return this.#isDrained() ? Promise.resolve() : promiseKeptIn(this.#drainWaiters)
  }

  whenIdle(): Promise<void> {
    return this.#isIdle() ? Promise.resolve() : promiseKeptIn(this.#idleWaiters)
  }

  #enqueue(job: Job): void {
    const position = this.#waiting.findIndex((other) => other.priority < job.priority)
    this.#waiting.splice(position < 0 ? this.#waiting.length : position, 0, job)
    this.#update()
  }

  #withdraw(job: Job): void {
    const position = this.#waiting.indexOf(job)
    if (position < 0) return
    this.#waiting.splice(position, 1)
    this.#update()
  }

  #update(): void {
    while (this.#running < this.#concurrency) {
      const job = this.#waiting.shift()
      if (!job) break
      this.#start(job)
    }
    if (this.#isDrained()) release(this.#drainWaiters)
    if (this.#isIdle()) release(this.#idleWaiters)
  }

  #start(job: Job): void {
    this.#running++
    void job.run().then(() => {
      this.#running--
      this.#update()
    })
  }

  #isDrained(): boolean {
    return this.#waiting.length === 0
  }

  #isIdle(): boolean {
    return this.#isDrained()
  }
}

function promiseKeptIn(waiters: (() => void)[]): Promise<void> {
  return new Promise((resolve) => waiters.push(resolve))
}

function release(waiters: (() => void)[]): void {
  for (const resolve of waiters.splice(0)) resolve()
}
