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
  readonly cacheKey: unknown
  readonly promise: Promise<V>
  readonly resolve: (value: V) => void
  readonly reject: (reason: unknown) => void
}

/** The requests that wait for the next flush, by cache key and in the order of their arrival. */
type Queue<K, V> = Map<unknown, Request<K, V>>

export class BatchLoader<K, V> {
  readonly #batch: BatchFunction<K, V>
  readonly #maxBatchSize: number
  readonly #cacheKey: (key: K) => unknown
  readonly #schedule: (flush: () => void) => void
  readonly #known = new Map<unknown, Promise<V>>()
  #queue: Queue<K, V> = new Map()

  constructor(batch: BatchFunction<K, V>, options: BatchLoaderOptions<K> = {}) {
    const { maxBatchSize } = options
    if (maxBatchSize !== undefined && !(Number.isInteger(maxBatchSize) && maxBatchSize >= 1)) {
      throw new RangeError(`maxBatchSize must be an integer of at least 1: ${maxBatchSize}`)
    }
    this.#batch = batch
    this.#maxBatchSize = maxBatchSize ?? Infinity
    this.#cacheKey = options.cacheKey ?? ((key) => key)
    this.#schedule = options.schedule ?? ((flush) => queueMicrotask(flush))
  }

  load(key: K): Promise<V> {
    const cacheKey = this.#cacheKeyOf(key)
    const known = this.#known.get(cacheKey)
    if (known !== undefined) return known

    // Forgotten, but not asked for yet: the question in the queue will do.
    const queued = this.#queue.get(cacheKey)
    if (queued !== undefined) {
      this.#known.set(cacheKey, queued.promise)
      return queued.promise
    }

    let resolve!: (value: V) => void
    let reject!: (reason: unknown) => void
    const promise = new Promise<V>((resolvePromise, rejectPromise) => {
      resolve = resolvePromise
      reject = rejectPromise
    })
    const queue = this.#queue
    const isFirst = queue.size === 0
    queue.set(cacheKey, { key, cacheKey, promise, resolve, reject })
    this.#known.set(cacheKey, promise)
    if (isFirst) {
      const schedule = this.#schedule
      schedule(() => this.#flush(queue))
    }
    return promise
  }

  loadMany(keys: readonly K[]): Promise<(V | Error)[]> {
    return Promise.all(
      keys.map((key) => this.load(key).catch((error: unknown) => error as Error)),
    )
  }

  clear(key: K): this {
    this.#known.delete(this.#cacheKeyOf(key))
    return this
  }

  clearAll(): this {
    this.#known.clear()
    return this
  }

  prime(key: K, value: V | Error): this {
    const cacheKey = this.#cacheKeyOf(key)
    if (!this.#known.has(cacheKey)) {
      const promise = value instanceof Error ? Promise.reject(value) : Promise.resolve(value)
      // Nobody may ever load this key; that would not be an unhandled rejection.
      promise.catch(() => {})
      this.#known.set(cacheKey, promise)
    }
    return this
  }

  #cacheKeyOf(key: K): unknown {
    const cacheKey = this.#cacheKey
    return cacheKey(key)
  }

  #flush(queue: Queue<K, V>): void {
    if (queue !== this.#queue) return
    this.#queue = new Map()
    const requests = [...queue.values()]
    for (let start = 0; start < requests.length; start += this.#maxBatchSize) {
      void this.#run(requests.slice(start, start + this.#maxBatchSize))
    }
  }

  async #run(requests: readonly Request<K, V>[]): Promise<void> {
    let answers: readonly (V | Error)[]
    try {
      const batch = this.#batch
      answers = await batch(requests.map((request) => request.key))
      if (!Array.isArray(answers) || answers.length !== requests.length) {
        throw new TypeError(
          `The batch function must answer with an array of ${requests.length} elements`,
        )
      }
    } catch (reason) {
      for (const request of requests) request.reject(reason)
      for (const { cacheKey, promise } of requests) {
        if (this.#known.get(cacheKey) === promise) this.#known.delete(cacheKey)
      }
      return
    }
    requests.forEach((request, index) => {
      const answer = answers[index] as V | Error
      if (answer instanceof Error) request.reject(answer)
      else request.resolve(answer)
    })
  }
}
