import {
  applyRateLimit,
  type RateLimitResult,
  type ReadLimit,
  type ReadPool,
  readLimit,
} from '../../domain/api/rate-limit.ts'
import { env } from '../../env.ts'
import { PEER_HEADER, peerAddress } from './peer-address.ts'

/** Beyond this number of addresses all new ones share one slot, so that memory is bounded. */
const MOST_ADDRESSES = 20_000
const SHARED = '*'

// On globalThis, because Next may load a module more than once in a process.
const shared = globalThis as { proofboardTurns?: Memory }

/** By pool and address: when all its turns are free again; and when those at rest were last forgotten. */
type Memory = { turns: Map<string, number>; tidiedAt: number }
/** Looking through all of them takes a millisecond: not for each request of a flood. */
const TIDY_MS = 1000

/** The rate-limit result of a request, with its headers; null = not limited. */
export type CountedTurn = RateLimitResult & { headers: Record<string, string> }

/** Counts a request of a sender. Without an address it comes from this very process, and is not counted. */
export function takeReadTurn(headers: Headers, pool: ReadPool, nowMs: number): CountedTurn | null {
  const limit = readLimit(pool, env().readsPerMinute)
  const address = addressOf(headers)
  if (!limit || address === null) return null
  shared.proofboardTurns ??= { turns: new Map(), tidiedAt: 0 }
  const { turns } = shared.proofboardTurns
  const own = `${pool} ${networkOf(address)}`
  if (turns.size >= MOST_ADDRESSES) forgetRested(shared.proofboardTurns, nowMs)
  const key = turns.has(own) || turns.size < MOST_ADDRESSES ? own : `${pool} ${SHARED}`
  const turn = applyRateLimit(turns.get(key) ?? null, limit, nowMs)
  turns.set(key, turn.fullAt)
  return {
    ...turn,
    headers: {
      'RateLimit-Policy': `"${pool}";q=${limit.burst};w=60`,
      RateLimit: `"${pool}";r=${turn.remaining};t=${turn.resetSeconds}`,
    },
  }
}

/** How many addresses are remembered now. */
export function countAddresses(): number {
  return shared.proofboardTurns?.turns.size ?? 0
}

/** Who has all turns free again is as good as never seen. */
function forgetRested(memory: Memory, nowMs: number): void {
  if (nowMs - memory.tidiedAt < TIDY_MS) return
  memory.tidiedAt = nowMs
  for (const [key, fullAt] of memory.turns) if (fullAt <= nowMs) memory.turns.delete(key)
}

/** Who asks: what the trusted proxy says, else the other end of the socket; null = this very process. */
export function addressOf(headers: Headers): string | null {
  const told = env().trustedProxy ? peerAddress(headers) : null
  return told ?? headers.get(PEER_HEADER)
}

/** One household has one IPv6 network of 64 bits and as many addresses as it likes; an IPv4 address may be written as IPv6. */
function networkOf(address: string): string {
  const plain = address.toLowerCase().replace(/^::ffff:(?=\d+\.)/, '')
  if (!plain.includes(':')) return plain
  const [left = '', right] = plain.split('::')
  const head = left.split(':').filter(Boolean)
  const tail = right?.split(':').filter(Boolean) ?? []
  const zeros = right === undefined ? 0 : Math.max(0, 8 - head.length - tail.length)
  return [...head, ...Array.from({ length: zeros }, () => '0'), ...tail].slice(0, 4).join(':')
}

/** The limit as the response reports it: `headers` are RateLimit-Policy and RateLimit. */
export type Limited = { allowed: boolean; retryAfterMs: number; headers: Record<string, string> }

/** Senders that are remembered at once; over it, the one that was idle longest is forgotten. */
const MOST_KEYS = 10_000

/**
 * Counts what one sender may do in a minute. In memory, since it protects this process and its disk from a sender that
 * runs wild; what must outlive a restart, as locked accounts, is stored in the database.
 */
export class RateLimit {
  readonly #name: string
  readonly #fullAt = new Map<string, number>()

  constructor(name: string) {
    this.#name = name
  }

  /** Takes one of `key`'s turns. */
  take(key: string, limit: ReadLimit, nowMs = Date.now()): Limited {
    const turn = applyRateLimit(this.#fullAt.get(key) ?? null, limit, nowMs)
    this.#fullAt.delete(key)
    this.#fullAt.set(key, turn.fullAt)
    const [longestIdle] = this.#fullAt.keys()
    if (this.#fullAt.size > MOST_KEYS && longestIdle) this.#fullAt.delete(longestIdle)
    const headers = {
      'RateLimit-Policy': `"${this.#name}";q=${limit.burst};w=60`,
      RateLimit: `"${this.#name}";r=${turn.remaining};t=${turn.resetSeconds}`,
    }
    return { allowed: turn.isFree, retryAfterMs: turn.retrySeconds * 1000, headers }
  }
}
