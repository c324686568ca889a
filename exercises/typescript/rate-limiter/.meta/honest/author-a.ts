export interface RateLimiterOptions {
  capacity: number
  refillTokens: number
  refillIntervalMs: number
  now: () => number
}

export type Decision =
  | { allowed: true; remaining: number }
  | { allowed: false; remaining: number; retryAfterMs: number }

interface Bucket {
  /** In parts of a token: there are `refillIntervalMs` of them in a token. */
  readonly level: bigint
  /** When the bucket had this level. */
  readonly time: bigint
}

function positiveInteger(name: string, value: number): bigint {
  if (!Number.isInteger(value) || value < 1) {
    throw new RangeError(`${name} must be a positive integer: ${value}`)
  }
  return BigInt(value)
}

export class RateLimiter {
  /** A millisecond brings back `#refill` parts of a token, and `#parts` of them are a token. */
  readonly #refill: bigint
  readonly #parts: bigint
  /** The level of a full bucket. */
  readonly #full: bigint
  readonly #now: () => number
  readonly #buckets = new Map<string, Bucket>()
  #latest: bigint | undefined

  constructor(options: RateLimiterOptions) {
    const capacity = positiveInteger('capacity', options.capacity)
    this.#refill = positiveInteger('refillTokens', options.refillTokens)
    this.#parts = positiveInteger('refillIntervalMs', options.refillIntervalMs)
    this.#full = capacity * this.#parts
    this.#now = () => options.now()
  }

  get size(): number {
    return this.#buckets.size
  }

  take(key: string, cost = 1): Decision {
    const needed = positiveInteger('cost', cost) * this.#parts
    const time = this.#readClock()
    const level = this.#levelAt(time, this.#buckets.get(key))

    if (needed <= level) {
      const rest = level - needed
      this.#buckets.set(key, { level: rest, time })
      return { allowed: true, remaining: this.#wholeTokens(rest) }
    }
    const missing = needed - level
    return {
      allowed: false,
      remaining: this.#wholeTokens(level),
      retryAfterMs:
        needed > this.#full ? Infinity : Number((missing + this.#refill - 1n) / this.#refill),
    }
  }

  prune(): number {
    const time = this.#readClock()
    const before = this.#buckets.size
    for (const [key, bucket] of this.#buckets) {
      if (this.#levelAt(time, bucket) === this.#full) this.#buckets.delete(key)
    }
    return before - this.#buckets.size
  }

  /** The greatest value that the clock has shown so far. */
  #readClock(): bigint {
    const time = BigInt(this.#now())
    if (this.#latest === undefined || time > this.#latest) this.#latest = time
    return this.#latest
  }

  #levelAt(time: bigint, bucket: Bucket | undefined): bigint {
    if (bucket === undefined) return this.#full
    const level = bucket.level + (time - bucket.time) * this.#refill
    return level < this.#full ? level : this.#full
  }

  #wholeTokens(level: bigint): number {
    return Number(level / this.#parts)
  }
}
