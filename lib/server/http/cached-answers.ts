import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import { accepts, leaderboardEndpoint } from '../../domain/api/index.ts'
import { PEER_HEADER } from './peer-address.ts'
import { addressOf, type CountedRequest, countRead, networkOf } from './rate-limiter.ts'

const { pool, types } = leaderboardEndpoint

/** Whether an address of the API is cached as pages are: a leaderboard, the only answer of megabytes that many ask for. */
export function isCachedAnswer(url: string): boolean {
  return /^\/api\/v1\/leaderboard(?:\?|$)/.test(url)
}

/** Whether the reader takes what is cached; what to say to one who does not is left to the endpoint. */
export function takesAnswer({ accept }: IncomingHttpHeaders): boolean {
  return accepts(accept ?? null, types)
}

/** Counts a cached answer like any other read of the API; null = it is not counted. */
export function countAnswer(request: IncomingMessage): CountedRequest | null {
  return countRead(sentBy(request), pool)
}

/** The network that a request came from. */
export function networkBehind(request: IncomingMessage): string {
  return networkOf(addressOf(sentBy(request)) ?? '')
}

/** What a request says of where it came from. */
function sentBy({ headers }: IncomingMessage): Headers {
  const given = new Headers()
  for (const name of [PEER_HEADER, 'x-forwarded-for']) {
    const value = headers[name]
    if (value !== undefined) given.set(name, String(value))
  }
  return given
}
