export interface RateLimiterOptions {
  capacity: number
  refillTokens: number
  refillIntervalMs: number
  now: () => number
}

export type Decision =
  | { allowed: true; remaining: number }
  | { allowed: false; remaining: number; retryAfterMs: number }

/**
 * What was in a bucket at some moment. It is counted in shares of a token, `refillIntervalMs` of
 * them to each token: `refillTokens` shares come back in every millisecond, and all numbers are whole.
 */
interface Bucket {
  readonly shares: bigint
  readonly at: bigint
}

/** A reading of the clock, and the greatest of all readings so far. */
interface Reading {
  readonly shown: bigint
  readonly latest: bigint
}

export class RateLimiter {
  readonly #capacity: bigint
  readonly #sharesPerMs: bigint
  readonly #sharesPerToken: bigint
  readonly #now: () => number
  readonly #buckets = new Map<string, Bucket>()
  #latest: bigint | undefined

  constructor(options: RateLimiterOptions) {
    this.#capacity = positiveInteger('capacity', options.capacity)
    this.#sharesPerMs = positiveInteger('refillTokens', options.refillTokens)
    this.#sharesPerToken = positiveInteger('refillIntervalMs', options.refillIntervalMs)
    this.#now = () => options.now()
  }

  get size(): number {
    return this.#buckets.size
  }

  take(key: string, cost = 1): Decision {
    const tokens = positiveInteger('cost', cost)
    const { shown, latest } = this.#readClock()
    const price = tokens * this.#sharesPerToken
    const shares = this.#sharesIn(this.#buckets.get(key), latest)

    if (price <= shares) {
      this.#buckets.set(key, { shares: shares - price, at: latest })
      return { allowed: true, remaining: this.#wholeTokens(shares - price) }
    }
    return {
      allowed: false,
      remaining: this.#wholeTokens(shares),
      retryAfterMs:
        tokens > this.#capacity
          ? Infinity
          : // The clock may first have to catch up with the greatest value that it has shown.
            Number(latest - shown + divideUp(price - shares, this.#sharesPerMs)),
    }
  }

  prune(): number {
    const { latest } = this.#readClock()
    const full = [...this.#buckets].filter(
      ([, bucket]) => this.#sharesIn(bucket, latest) === this.#fullBucket(),
    )
    full.forEach(([key]) => this.#buckets.delete(key))
    return full.length
  }

  #readClock(): Reading {
    const shown = BigInt(this.#now())
    const latest = this.#latest === undefined || shown > this.#latest ? shown : this.#latest
    this.#latest = latest
    return { shown, latest }
  }

  #fullBucket(): bigint {
    return this.#capacity * this.#sharesPerToken
  }

  #sharesIn(bucket: Bucket | undefined, at: bigint): bigint {
    const full = this.#fullBucket()
    if (bucket === undefined) return full
    const shares = bucket.shares + (at - bucket.at) * this.#sharesPerMs
    return shares < full ? shares : full
  }

  #wholeTokens(shares: bigint): number {
    return Number(shares / this.#sharesPerToken)
  }
}

function positiveInteger(name: string, value: number): bigint {
  if (!Number.isInteger(value) || value < 1) {
    throw new RangeError(`${name} must be a positive integer, not ${value}`)
  }
  return BigInt(value)
}

function divideUp(dividend: bigint, divisor: bigint): bigint {
  return (dividend + divisor - 1n) / divisor
}
