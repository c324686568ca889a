export interface RateLimiterOptions {
  capacity: number
  refillTokens: number
  refillIntervalMs: number
  now: () => number
}

export type Decision =
  | { allowed: true; remaining: number }
  | { allowed: false; remaining: number; retryAfterMs: number }

export class RateLimiter {
  constructor(options: RateLimiterOptions) {
    throw new Error('Remove this line and implement the function')
  }

  get size(): number {
    throw new Error('Remove this line and implement the function')
  }

  take(key: string, cost?: number): Decision {
    throw new Error('Remove this line and implement the function')
  }

  prune(): number {
    throw new Error('Remove this line and implement the function')
  }
}
