// Wrong: tokens are counted in floating point and topped up by every call, so rounding errors add
// up.
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
  tokens: number
  updatedAt: number
}

export class RateLimiter {
  private readonly buckets = new Map<string, Bucket>()
  private readonly tokensPerMs: number
  private latestTime = -Infinity

  constructor(private readonly options: RateLimiterOptions) {
    for (const name of ['capacity', 'refillTokens', 'refillIntervalMs'] as const) {
      assertPositiveInteger(name, options[name])
    }
    this.tokensPerMs = options.refillTokens / options.refillIntervalMs
  }

  get size(): number {
    return this.buckets.size
  }

  take(key: string, cost = 1): Decision {
    assertPositiveInteger('cost', cost)
    this.latestTime = Math.max(this.latestTime, this.options.now())
    const bucket = this.buckets.get(key) ?? {
      tokens: this.options.capacity,
      updatedAt: this.latestTime,
    }
    this.refill(bucket)
    if (bucket.tokens >= cost) {
      bucket.tokens -= cost
      this.buckets.set(key, bucket)
      return { allowed: true, remaining: Math.floor(bucket.tokens) }
    }
    const wait = Math.ceil((cost - bucket.tokens) / this.tokensPerMs)
    return {
      allowed: false,
      remaining: Math.floor(bucket.tokens),
      retryAfterMs: cost > this.options.capacity ? Infinity : wait,
    }
  }

  prune(): number {
    this.latestTime = Math.max(this.latestTime, this.options.now())
    let dropped = 0
    for (const [key, bucket] of this.buckets) {
      this.refill(bucket)
      if (bucket.tokens >= this.options.capacity) {
        this.buckets.delete(key)
        dropped++
      }
    }
    return dropped
  }

  private refill(bucket: Bucket): void {
    const refilled = (this.latestTime - bucket.updatedAt) * this.tokensPerMs
    bucket.tokens = Math.min(this.options.capacity, bucket.tokens + refilled)
    bucket.updatedAt = this.latestTime
  }
}

function assertPositiveInteger(name: string, value: number): void {
  if (!Number.isInteger(value) || value < 1) {
    throw new RangeError(`${name} must be a positive integer`)
  }
}
