// Wrong: the promises of a failed batch stay in the cache, so its keys are never asked for again.
export type BatchFunction<K, V> = (keys: readonly K[]) => Promise<readonly (V | Error)[]>

export interface BatchLoaderOptions<K> {
  /** The most keys that one call of the batch function may get. Default: no limit. */
  maxBatchSize?: number
  /** Keys with the same cache key are the same record. Default: the key itself. */
  cacheKey?: (key: K) => unknown
  /** Arranges that `flush` is called later. Default: in a microtask. */
  schedule?: (flush: () => void) => void
}

interface Request<K, V> {
  readonly key: K
  readonly promise: Promise<V>
  readonly resolve: (value: V) => void
  readonly reject: (reason: unknown) => void
}

export class BatchLoader<K, V> {
  readonly #batch: BatchFunction<K, V>
  readonly #maxBatchSize: number
  readonly #cacheKey: (key: K) => unknown
  readonly #schedule: (flush: () => void) => void
  readonly #known = new Map<unknown, Promise<V>>()
  #queue: Request<K, V>[] = []

  constructor(batch: BatchFunction<K, V>, options: BatchLoaderOptions<K> = {}) {
    const { maxBatchSize = Infinity, cacheKey = (key) => key, schedule = inMicrotask } = options
    if (maxBatchSize !== Infinity && !(Number.isInteger(maxBatchSize) && maxBatchSize >= 1)) {
      throw new RangeError(`maxBatchSize must be an integer of at least 1, not ${maxBatchSize}`)
    }
    this.#batch = batch
    this.#maxBatchSize = maxBatchSize
    this.#cacheKey = cacheKey
    this.#schedule = schedule
  }

  load(key: K): Promise<V> {
    const cacheKey = this.#cacheKey(key)
    const known = this.#known.get(cacheKey)
    if (known) return known

    const request = createRequest<K, V>(key)
    this.#known.set(cacheKey, request.promise)
    this.#queue.push(request)
    if (this.#queue.length === 1) this.#schedule(() => this.#flush())
    return request.promise
  }

  async loadMany(keys: readonly K[]): Promise<(V | Error)[]> {
    const outcomes = await Promise.allSettled(keys.map((key) => this.load(key)))
    return outcomes.map((outcome) =>
      outcome.status === 'fulfilled' ? outcome.value : toError(outcome.reason),
    )
  }

  clear(key: K): this {
    this.#known.delete(this.#cacheKey(key))
    return this
  }

  clearAll(): this {
    this.#known.clear()
    return this
  }

  prime(key: K, value: V | Error): this {
    const cacheKey = this.#cacheKey(key)
    if (!this.#known.has(cacheKey)) {
      const answer = value instanceof Error ? Promise.reject(value) : Promise.resolve(value)
      // Nobody may ever ask for a primed error; that must not count as an unhandled rejection.
      answer.catch(() => {})
      this.#known.set(cacheKey, answer)
    }
    return this
  }

  #flush(): void {
    const queue = this.#queue
    this.#queue = []
    const size = Math.min(this.#maxBatchSize, queue.length)
    for (let start = 0; start < queue.length; start += size) {
      void this.#run(queue.slice(start, start + size))
    }
  }

  async #run(requests: readonly Request<K, V>[]): Promise<void> {
    try {
      const answers = await this.#batch(requests.map((request) => request.key))
      if (!Array.isArray(answers) || answers.length !== requests.length) {
        throw new TypeError(`The batch function must answer with ${requests.length} elements`)
      }
      requests.forEach((request, index) => {
        const answer: V | Error = answers[index]
        if (answer instanceof Error) request.reject(answer)
        else request.resolve(answer)
      })
    } catch (reason) {
      for (const request of requests) {
        request.reject(reason)
      }
    }
  }
}

function createRequest<K, V>(key: K): Request<K, V> {
  let resolve!: (value: V) => void
  let reject!: (reason: unknown) => void
  const promise = new Promise<V>((onValue, onReason) => {
    resolve = onValue
    reject = onReason
  })
  return { key, promise, resolve, reject }
}

function inMicrotask(task: () => void): void {
  void Promise.resolve().then(task)
}

function toError(reason: unknown): Error {
  return reason instanceof Error ? reason : new Error(String(reason))
}
