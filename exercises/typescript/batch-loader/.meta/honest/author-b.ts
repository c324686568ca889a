export type BatchFunction<K, V> = (keys: readonly K[]) => Promise<readonly (V | Error)[]>

export interface BatchLoaderOptions<K> {
  /** The most keys that one call of the batch function may get. Default: no limit. */
  maxBatchSize?: number
  /** Keys with the same cache key are the same record. Default: the key itself. */
  cacheKey?: (key: K) => unknown
  /** Arranges that `flush` is called later. Default: in a microtask. */
  schedule?: (flush: () => void) => void
}

/** Somebody who has been given a promise. */
interface Waiter<V> {
  readonly promise: Promise<V>
  readonly resolve: (value: V) => void
  readonly reject: (reason: unknown) => void
}

/** A key in a queue. There is more than one waiter if the key was cleared and asked for again. */
interface Request<K, V> {
  readonly key: K
  readonly id: unknown
  readonly waiters: Waiter<V>[]
}

type Queue<K, V> = Map<unknown, Request<K, V>>

export class BatchLoader<K, V> {
  readonly #batch: BatchFunction<K, V>
  readonly #maxBatchSize: number
  readonly #idOf: (key: K) => unknown
  readonly #schedule: (flush: () => void) => void
  readonly #remembered = new Map<unknown, Promise<V>>()
  /** Undefined while no key is waiting for a flush. */
  #queue: Queue<K, V> | undefined

  constructor(batch: BatchFunction<K, V>, options: BatchLoaderOptions<K> = {}) {
    const {
      maxBatchSize,
      cacheKey = (key) => key,
      schedule = (flush) => queueMicrotask(flush),
    } = options
    if (maxBatchSize !== undefined && (!Number.isInteger(maxBatchSize) || maxBatchSize < 1)) {
      throw new RangeError(`maxBatchSize must be an integer of at least 1, not ${maxBatchSize}`)
    }
    this.#batch = batch
    this.#maxBatchSize = maxBatchSize ?? Infinity
    this.#idOf = cacheKey
    this.#schedule = schedule
  }

  load(key: K): Promise<V> {
    const id = this.#idOf(key)
    const known = this.#remembered.get(id)
    if (known !== undefined) return known
    const waiter = makeWaiter<V>()
    this.#remembered.set(id, waiter.promise)
    this.#enqueue(key, id, waiter)
    return waiter.promise
  }

  loadMany(keys: readonly K[]): Promise<(V | Error)[]> {
    return Promise.all(
      Array.from(keys, (key) => this.load(key).catch((reason: unknown) => reason as Error)),
    )
  }

  clear(key: K): this {
    this.#remembered.delete(this.#idOf(key))
    return this
  }

  clearAll(): this {
    this.#remembered.clear()
    return this
  }

  prime(key: K, value: V | Error): this {
    const id = this.#idOf(key)
    if (!this.#remembered.has(id)) {
      const answer = makeWaiter<V>()
      // It may never be asked for, and then its rejection is nobody's mistake.
      answer.promise.catch(() => {})
      this.#remembered.set(id, answer.promise)
      settle(answer, value)
    }
    return this
  }

  #enqueue(key: K, id: unknown, waiter: Waiter<V>): void {
    const request = this.#queue?.get(id)
    if (request !== undefined) {
      request.waiters.push(waiter)
    } else if (this.#queue !== undefined) {
      this.#queue.set(id, { key, id, waiters: [waiter] })
    } else {
      const queue: Queue<K, V> = new Map([[id, { key, id, waiters: [waiter] }]])
      this.#queue = queue
      this.#schedule(() => this.#flush(queue))
    }
  }

  /** Every queue is flushed once, however often its flush is called. */
  #flush(queue: Queue<K, V>): void {
    if (this.#queue !== queue) return
    this.#queue = undefined
    const requests = [...queue.values()]
    const size = Math.min(this.#maxBatchSize, requests.length)
    for (let begin = 0; begin < requests.length; begin += size) {
      void this.#run(requests.slice(begin, begin + size))
    }
  }

  /** Calls the batch function before it returns. */
  async #run(requests: readonly Request<K, V>[]): Promise<void> {
    try {
      const answers: unknown = await this.#batch(requests.map(({ key }) => key))
      if (!Array.isArray(answers) || answers.length !== requests.length) {
        throw new TypeError(`The batch function must answer with an array of ${requests.length} elements`)
      }
      requests.forEach(({ waiters }, index) => {
        waiters.forEach((waiter) => settle(waiter, answers[index] as V | Error))
      })
    } catch (reason) {
      requests.forEach((request) => this.#giveUp(request, reason))
    }
  }

  /** Forgets the key as well, unless something else has been remembered for it since. */
  #giveUp({ id, waiters }: Request<K, V>, reason: unknown): void {
    for (const waiter of waiters) {
      waiter.reject(reason)
      if (this.#remembered.get(id) === waiter.promise) this.#remembered.delete(id)
    }
  }
}

function makeWaiter<V>(): Waiter<V> {
  let resolve!: Waiter<V>['resolve']
  let reject!: Waiter<V>['reject']
  const promise = new Promise<V>((onValue, onReason) => {
    resolve = onValue
    reject = onReason
  })
  return { promise, resolve, reject }
}

function settle<V>({ resolve, reject }: Waiter<V>, answer: V | Error): void {
  if (answer instanceof Error) reject(answer)
  else resolve(answer)
}
