const MINUTE_MS = 60_000
/** Clocks tell fractions of a millisecond, whose sums are not exact. */
const ROUNDING_MS = 1e-6

/** Whether a request is allowed, how many more are, and in how many seconds the whole allowance is free again. */
export type RateLimitResult = {
  allowed: boolean
  remaining: number
  resetSeconds: number
  /** Until the next one is free; 0 = now. */
  retrySeconds: number
  /** When all of it is free again, in milliseconds: what has to be remembered of an address, and nothing else. */
  fullAt: number
}

/**
 * Counts one request of an address. The allowance comes back evenly over the minute (the generic cell rate algorithm), so that
 * no burst at the edge of a window is twice the limit. `fullAt` is what the last request's result says; null = a new address.
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

/** Requests of one address in a minute, and how many of them at once: each pool is counted apart. */
export type ReadLimit = { perMinute: number; burst: number }

/**
 * The limit of reads and of pages is a server setting. Badges are fetched by proxies of big sites for all their users; a stream lasts,
 * so opening one is rare; a picture takes time to render.
 */
export const READ_POOLS = ['reads', 'pages', 'badges', 'streams', 'pictures'] as const
export type ReadPool = (typeof READ_POOLS)[number]

const PER_MINUTE: Partial<Record<ReadPool, number>> = {
  badges: 1200,
  streams: 300,
  pictures: 60,
}

/** The limit of a pool where reads may be `readsPerMinute`; null = there is none. */
export function readLimit(pool: ReadPool, readsPerMinute: number): ReadLimit | null {
  if (readsPerMinute === 0) return null
  const perMinute = PER_MINUTE[pool] ?? readsPerMinute
  return { perMinute, burst: perMinute }
}
