import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { isIP, type Socket } from 'node:net'
import { env } from '../../env.ts'
import { processWide } from '../../process-wide.ts'
import { readableAddress } from './readable-address.ts'

/**
 * The address a request came from; null = unknown. Any client can write X-Forwarded-For: only the last entry, which our
 * own proxy added, counts, and only where there is one (PROOFBOARD_TRUSTED_PROXY=1).
 */
export function peerAddress(headers: Headers, isBehindProxy = env().trustedProxy): string | null {
  if (!isBehindProxy) return null
  const last = headers.get('x-forwarded-for')?.split(',').at(-1)?.trim() ?? ''
  return isIP(last) === 0 ? null : last
}

/** The address at the other end of a request's connection, as this process saw it. */
export const PEER_HEADER = 'x-proofboard-peer'

/** What only our own proxy may say; Next believes them of anybody. */
const OF_PROXY = ['x-forwarded-host', 'x-forwarded-proto', 'x-forwarded-port']

/** The number of a request in this process, by which its response is found. */
export const NUMBER_HEADER = 'x-proofboard-request'

const open = processWide('open responses', () => ({
  last: 0,
  responses: new Map<string, ServerResponse>(),
}))

/** The response of a request under way; null = it was closed, or nothing prepared the request. */
export function findResponse(headers: Headers): ServerResponse | null {
  return open.responses.get(headers.get(NUMBER_HEADER) ?? '') ?? null
}

type Started = { request: IncomingMessage; response: ServerResponse; socket: Socket }

/**
 * From here on the target of every request of this process is a path that can be decoded, replies of a board with https
 * tell browsers to stay on https, and every request carries the address of its connection and a number. A value that a
 * client sent in these headers is overwritten: a route handler sees headers alone, and of those only these cannot be forged.
 * What a proxy says of the requested address is removed where there is none of ours (PROOFBOARD_TRUSTED_PROXY=1).
 * Returns what ends it.
 */
export function prepareRequests(): () => void {
  const prepare = (message: unknown) => {
    const { request, response, socket } = message as Started
    request.url = readableAddress(originForm(request.url ?? '/'))
    // No Request can be made of TRACE; an unknown method is refused like any other.
    if (request.method === 'TRACE') request.method = 'UNKNOWN'
    if (env().publicUrl.startsWith('https:'))
      response.setHeader('Strict-Transport-Security', 'max-age=31536000')
    request.headers[PEER_HEADER] = socket.remoteAddress ?? 'unknown'
    request.headers[NUMBER_HEADER] = registerResponse(response)
    if (!env().trustedProxy) for (const name of OF_PROXY) delete request.headers[name]
  }
  subscribe(STARTED, prepare)
  return () => unsubscribe(STARTED, prepare)
}

const STARTED = 'http.server.request.start'

function registerResponse(response: ServerResponse): string {
  const number = String(++open.last)
  open.responses.set(number, response)
  response.once('close', () => open.responses.delete(number))
  return number
}

/** Returns the path of a request. Clients may also send a whole address, or `*`, which is no page. */
function originForm(target: string): string {
  if (target.startsWith('/')) return target
  if (!URL.canParse(target)) return `/${target}`
  const { pathname, search } = new URL(target)
  return pathname.startsWith('/') ? pathname + search : '/*'
}
