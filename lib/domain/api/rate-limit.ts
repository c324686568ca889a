const MINUTE_MS = 60_000
/** Clocks return fractions of a millisecond, whose sums are not exact. */
const ROUNDING_MS = 1e-6

/** Decision on one request, with the requests left and the seconds until the allowance is full again. */
export type RateLimitResult = {
  allowed: boolean
  remaining: number
  resetSeconds: number
  /** Seconds until the next request is allowed; 0 = now. */
  retrySeconds: number
  /** The time at which the allowance is full again, in milliseconds: the only state stored per address. */
  fullAt: number
}

/**
 * Counts one request of an address. The allowance refills evenly over the minute (generic cell rate algorithm), so that
 * no burst at the edge of a window is twice the limit. `fullAt` is from the previous result; null = a new address.
 */
export function applyRateLimit(
  fullAt: number | null,
  limit: ReadLimit,
  nowMs: number,
): RateLimitResult {
  const eachMs = MINUTE_MS / limit.perMinute
  const mostMs = eachMs * limit.burst
  const before = Math.max(fullAt ?? nowMs, nowMs)
  const after = before + eachMs
  const allowed = after - nowMs <= mostMs + ROUNDING_MS
  const nextFullAt = allowed ? after : before
  return {
    allowed,
    remaining: Math.max(0, Math.floor((mostMs - (nextFullAt - nowMs)) / eachMs + 1e-6)),
    resetSeconds: toSeconds(nextFullAt - nowMs),
    retrySeconds: allowed ? 0 : Math.max(1, toSeconds(after - nowMs - mostMs)),
    fullAt: nextFullAt,
  }
}

function toSeconds(ms: number): number {
  return Math.ceil((ms - ROUNDING_MS) / 1000)
}

/** Requests per address and minute, and the largest burst; each pool is counted separately. */
export type ReadLimit = { perMinute: number; burst: number }

/**
 * Limits of reads and pages are a server setting. Badges are fetched by proxies of large sites for all their users; a
 * stream is long-lived, so opening one is rare; a picture takes time to render.
 */
export const READ_POOLS = ['reads', 'pages', 'badges', 'streams', 'pictures'] as const
export type ReadPool = (typeof READ_POOLS)[number]

const PER_MINUTE: Partial<Record<ReadPool, number>> = {
  badges: 1200,
  streams: 300,
  pictures: 60,
}

/** Returns the limit of a pool, given `readsPerMinute`; null = unlimited. */
export function readLimit(pool: ReadPool, readsPerMinute: number): ReadLimit | null {
  if (readsPerMinute === 0) return null
  const perMinute = PER_MINUTE[pool] ?? readsPerMinute
  return { perMinute, burst: perMinute }
}
