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

/** Beyond this many senders all new ones share one allowance, so that memory is bounded. */
const MAX_SENDERS = 20_000
const SHARED = '*'
/** Looking through all senders takes a millisecond: not for each request of a flood. */
const TIDY_MS = 1000

/** Whether a request may continue; `headers` are RateLimit-Policy and RateLimit. */
export type CountedRequest = RateLimitResult & { headers: Record<string, string> }

/**
 * Counts what each sender may do in a minute, in pools that are counted apart. In memory, since it protects this process
 * and its disk from a sender that runs wild; what must outlive a restart, such as locked accounts, is in the database.
 */
export class RateLimiter {
  /** By pool and sender: when the whole allowance is free again. */
  readonly #fullAt = new Map<string, number>()
  #tidiedAt = Number.NEGATIVE_INFINITY

  /** How many senders are remembered now. */
  get size(): number {
    return this.#fullAt.size
  }

  /** Counts one request of `sender`. The clock is one that cannot be set back: that would lock every sender out. */
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

  /** A sender whose whole allowance is free again needs no entry. */
  #forgetIdle(nowMs: number): void {
    if (nowMs - this.#tidiedAt < TIDY_MS) return
    this.#tidiedAt = nowMs
    for (const [key, fullAt] of this.#fullAt) if (fullAt <= nowMs) this.#fullAt.delete(key)
  }
}

const reads = processWide('reads', () => new RateLimiter())

/** Counts a read of the public API. Null = not counted: reads are unlimited, it is a probe, or it comes from this process. */
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

/** How many addresses of readers are remembered now. */
export function countAddresses(): number {
  return reads.size
}

/** The sender's address: what the trusted proxy says, else the other end of the socket; null = this very process. */
export function addressOf(headers: Headers): string | null {
  const forwarded = env().trustedProxy ? peerAddress(headers) : null
  return forwarded ?? headers.get(PEER_HEADER)
}

/** The network of a request's sender; null = it comes from this very process. */
export function senderNetwork(headers: Headers): string | null {
  const address = addressOf(headers)
  return address === null ? null : networkOf(address)
}

/** The client of an address: a household has one IPv6 network of 64 bits and any number of addresses in it; an IPv4 address may be written as IPv6. */
export function networkOf(address: string): string {
  const plain = address.toLowerCase().replace(/^::ffff:(?=\d+\.)/, '')
  if (!plain.includes(':')) return plain
  const [left = '', right] = plain.split('::')
  const head = left.split(':').filter(Boolean)
  const tail = right?.split(':').filter(Boolean) ?? []
  const zeros = right === undefined ? 0 : Math.max(0, 8 - head.length - tail.length)
  return [...head, ...Array.from({ length: zeros }, () => '0'), ...tail].slice(0, 4).join(':')
}
