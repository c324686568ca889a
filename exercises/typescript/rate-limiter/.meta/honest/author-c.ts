export interface RateLimiterOptions {
  capacity: number
  refillTokens: number
  refillIntervalMs: number
  now: () => number
}

export type Decision =
  | { allowed: true; remaining: number }
  | { allowed: false; remaining: number; retryAfterMs: number }

/** The level of a bucket at one moment; later levels are derived from it. */
interface Bucket {
  readonly units: bigint
  readonly at: bigint
}

function positiveInteger(name: string, value: number): bigint {
  if (!Number.isInteger(value) || value <= 0) {
    throw new RangeError(`${name} must be a positive integer`)
  }
  return BigInt(value)
}

/**
 * All levels are counted in units so small that nothing is ever fractional:
 * one token is `refillIntervalMs` units, and every millisecond brings back
 * `refillTokens` units. They are bigints because the products of two large
 * numbers would not be exact as floating point numbers.
 */
export class RateLimiter {
  readonly #unitsPerToken: bigint
  readonly #unitsPerMs: bigint
  readonly #fullUnits: bigint
  readonly #now: () => number
  readonly #buckets = new Map<string, Bucket>()
  #latest: bigint | undefined

  constructor(options: RateLimiterOptions) {
    const { capacity, refillTokens, refillIntervalMs, now } = options
    const tokens = positiveInteger('capacity', capacity)
    this.#unitsPerMs = positiveInteger('refillTokens', refillTokens)
    this.#unitsPerToken = positiveInteger('refillIntervalMs', refillIntervalMs)
    this.#fullUnits = tokens * this.#unitsPerToken
    this.#now = () => now.call(options)
  }

  get size(): number {
    return this.#buckets.size
  }

  take(key: string, cost: number = 1): Decision {
    const costUnits = positiveInteger('cost', cost) * this.#unitsPerToken
    const at = this.#readClock()
    const bucket = this.#buckets.get(key)
    const units = bucket === undefined ? this.#fullUnits : this.#unitsAt(bucket, at)

    if (costUnits > units) {
      return {
        allowed: false,
        remaining: this.#wholeTokens(units),
        retryAfterMs: this.#waitFor(costUnits, units),
      }
    }

    const left = units - costUnits
    this.#buckets.set(key, { units: left, at })
    return { allowed: true, remaining: this.#wholeTokens(left) }
  }

  prune(): number {
    const at = this.#readClock()
    let dropped = 0
    for (const [key, bucket] of this.#buckets) {
      if (this.#unitsAt(bucket, at) === this.#fullUnits) {
        this.#buckets.delete(key)
        dropped += 1
      }
    }
    return dropped
  }

  /** The greatest value read so far, including the one read just now. */
  #readClock(): bigint {
    const reading = BigInt(this.#now())
    if (this.#latest === undefined || reading > this.#latest) {
      this.#latest = reading
    }
    return this.#latest
  }

  #unitsAt(bucket: Bucket, at: bigint): bigint {
    const units = bucket.units + (at - bucket.at) * this.#unitsPerMs
    return units < this.#fullUnits ? units : this.#fullUnits
  }

  #wholeTokens(units: bigint): number {
    return Number(units / this.#unitsPerToken)
  }

  /** Milliseconds, rounded up, until a bucket at `units` holds `costUnits`. */
  #waitFor(costUnits: bigint, units: bigint): number {
    if (costUnits > this.#fullUnits) {
      return Infinity
    }
    const missing = costUnits - units
    return Number((missing + this.#unitsPerMs - 1n) / this.#unitsPerMs)
  }
}
