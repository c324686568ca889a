import {
  applyRateLimit,
  type RateLimitResult,
  type ReadLimit,
  type ReadPool,
  readLimit,
} from '../../domain/api/index.ts'
import { env } from '../../env.ts'
import { processWide } from '../../process-wide.ts'
import { PEER_HEADER, peerAddress } from './peer-address.ts'

/** Beyond this number of senders all new ones share one allowance, so that memory is bounded. */
const MAX_SENDERS = 20_000
const SHARED = '*'
/** Interval of a pass over all senders, which takes a millisecond and would be too slow for each request of a flood. */
const TIDY_MS = 1000

/** Result of counting a request; `headers` are RateLimit-Policy and RateLimit. */
export type CountedRequest = RateLimitResult & { headers: Record<string, string> }

/**
 * Counts requests per sender and minute, in separate pools. In memory, since it protects this process and its disk from
 * a runaway sender; state that must survive a restart, such as locked accounts, is in the database.
 */
export class RateLimiter {
  /** Time when the whole allowance is free again, by pool and sender. */
  readonly #fullAt = new Map<string, number>()
  #tidiedAt = Number.NEGATIVE_INFINITY

  /** Number of senders in memory. */
  get size(): number {
    return this.#fullAt.size
  }

  /** Counts one request of `sender`. Uses a monotonic clock: one that is set back would lock every sender out. */
  take(pool: string, sender: string, limit: ReadLimit, nowMs = performance.now()): CountedRequest {
    if (this.size >= MAX_SENDERS) this.#forgetIdle(nowMs)
    const own = `${pool} ${sender}`
    const isRemembered = this.#fullAt.has(own) || this.size < MAX_SENDERS
    const key = isRemembered ? own : `${pool} ${SHARED}`
    const result = applyRateLimit(this.#fullAt.get(key) ?? null, limit, nowMs)
    this.#fullAt.set(key, result.fullAt)
    return {
      ...result,
      headers: {
        'RateLimit-Policy': `"${pool}";q=${limit.burst};w=60`,
        RateLimit: `"${pool}";r=${result.remaining};t=${result.resetSeconds}`,
      },
    }
  }

  /** Removes senders whose whole allowance is free again. */
  #forgetIdle(nowMs: number): void {
    if (nowMs - this.#tidiedAt < TIDY_MS) return
    this.#tidiedAt = nowMs
    for (const [key, fullAt] of this.#fullAt) if (fullAt <= nowMs) this.#fullAt.delete(key)
  }
}

const reads = processWide('reads', () => new RateLimiter())

/**
 * Counts a read of the public API. Null = not counted: reads are unlimited, it is a probe, or it comes from this
 * process.
 */
export function countRead(
  headers: Headers,
  pool: ReadPool | null,
  nowMs = performance.now(),
): CountedRequest | null {
  const limit = pool && readLimit(pool, env().readsPerMinute)
  const address = addressOf(headers)
  if (!limit || address === null) return null
  return reads.take(pool, networkOf(address), limit, nowMs)
}

/** Returns the number of readers' addresses in memory. */
export function countAddresses(): number {
  return reads.size
}

/** Returns the sender's address: from the trusted proxy, else the other end of the socket; null = this process. */
export function addressOf(headers: Headers): string | null {
  const forwarded = env().trustedProxy ? peerAddress(headers) : null
  return forwarded ?? headers.get(PEER_HEADER)
}

/** Returns the network of a request's sender; null = this process. */
export function senderNetwork(headers: Headers): string | null {
  const address = addressOf(headers)
  return address === null ? null : networkOf(address)
}

/**
 * Returns the network of an address: a household has one IPv6 network of 64 bits and any number of addresses in it; an
 * IPv4 address may be written as IPv6.
 */
export function networkOf(address: string): string {
  const plain = address.toLowerCase().replace(/^::ffff:(?=\d+\.)/, '')
  if (!plain.includes(':')) return plain
  const [left = '', right] = plain.split('::')
  const head = left.split(':').filter(Boolean)
  const tail = right?.split(':').filter(Boolean) ?? []
  const zeros = right === undefined ? 0 : Math.max(0, 8 - head.length - tail.length)
  return [...head, ...Array.from({ length: zeros }, () => '0'), ...tail].slice(0, 4).join(':')
}
