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
  level: number
  updatedAt: number
}

/**
 * Levels are counted in units of 1 / refillIntervalMs of a token. One millisecond then brings
 * back exactly `refillTokens` units, so that every calculation stays within the integers.
 */
export class RateLimiter {
  readonly #unitsPerToken: number
  readonly #unitsPerMs: number
  readonly #fullLevel: number
  readonly #now: () => number
  readonly #buckets = new Map<string, Bucket>()
  #latestTime = -Infinity

  constructor({ capacity, refillTokens, refillIntervalMs, now }: RateLimiterOptions) {
    assertPositiveInteger('capacity', capacity)
    assertPositiveInteger('refillTokens', refillTokens)
    assertPositiveInteger('refillIntervalMs', refillIntervalMs)
    this.#unitsPerToken = refillIntervalMs
    this.#unitsPerMs = refillTokens
    this.#fullLevel = capacity * refillIntervalMs
    this.#now = now
  }

  get size(): number {
    return this.#buckets.size
  }

  take(key: string, cost = 1): Decision {
    assertPositiveInteger('cost', cost)
    const time = this.#readClock()
    const level = this.#levelAt(time, this.#buckets.get(key))
    const price = cost * this.#unitsPerToken
    if (price > level) {
      return {
        allowed: false,
        remaining: this.#wholeTokens(level),
        retryAfterMs: this.#waitFor(price, level),
      }
    }
    this.#buckets.set(key, { level: level - price, updatedAt: time })
    return { allowed: true, remaining: this.#wholeTokens(level - price) }
  }

  prune(): number {
    const time = Math.max(this.#latestTime, this.#now())
    const sizeBefore = this.size
    for (const [key, bucket] of this.#buckets) {
      if (this.#levelAt(time, bucket) === this.#fullLevel) this.#buckets.delete(key)
    }
    return sizeBefore - this.size
  }

  #readClock(): number {
    this.#latestTime = Math.max(this.#latestTime, this.#now())
    return this.#latestTime
  }

  #levelAt(time: number, bucket: Bucket | undefined): number {
    if (!bucket) return this.#fullLevel
    const refilled = (time - bucket.updatedAt) * this.#unitsPerMs
    return Math.min(this.#fullLevel, bucket.level + refilled)
  }

  #waitFor(price: number, level: number): number {
    if (price > this.#fullLevel) return Infinity
    return Math.ceil((price - level) / this.#unitsPerMs)
  }

  #wholeTokens(level: number): number {
    return Math.floor(level / this.#unitsPerToken)
  }
}

function assertPositiveInteger(name: string, value: number): void {
  if (!Number.isInteger(value) || value < 1) {
    throw new RangeError(`${name} must be a positive integer`)
  }
}
