import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { isIP, type Socket } from 'node:net'
import { env } from '../../env.ts'
import { processWide } from '../../process-wide.ts'

/**
 * Returns the address a request came from; null = unknown. Any client can write X-Forwarded-For: only the last entry,
 * added by a trusted proxy, counts, and only where there is one (PROOFBOARD_TRUSTED_PROXY=1).
 */
export function peerAddress(headers: Headers, isBehindProxy = env().trustedProxy): string | null {
  if (!isBehindProxy) return null
  const last = headers.get('x-forwarded-for')?.split(',').at(-1)?.trim() ?? ''
  return isIP(last) === 0 ? null : last
}

/** The address at the other end of a request's connection, as this process saw it. */
export const PEER_HEADER = 'x-proofboard-peer'

/** Headers that only a trusted proxy may set; Next accepts them from any client. */
const OF_PROXY = ['x-forwarded-host', 'x-forwarded-proto', 'x-forwarded-port']

/** Header with the number of a request in this process, by which its response is found. */
export const NUMBER_HEADER = 'x-proofboard-request'

const open = processWide('open responses', () => ({
  last: 0,
  responses: new Map<string, ServerResponse>(),
}))

/** Returns the response of a request in progress; null = it was closed, or the request was not prepared. */
export function findResponse(headers: Headers): ServerResponse | null {
  return open.responses.get(headers.get(NUMBER_HEADER) ?? '') ?? null
}

type Started = { request: IncomingMessage; response: ServerResponse; socket: Socket }

/**
 * Prepares every request of this process: makes its target a path that can be decoded, tells browsers to stay on https
 * if the board uses it, and adds the address of its connection and a number. Overwrites these headers when a client
 * sent them: a route handler sees only headers, and of those only these cannot be forged. Removes what a proxy says of
 * the requested address unless it is trusted (PROOFBOARD_TRUSTED_PROXY=1). Returns a function that ends this.
 */
export function prepareRequests(): () => void {
  const prepare = (message: unknown) => {
    const { request, response, socket } = message as Started
    request.url = readableAddress(originForm(request.url ?? '/'))
    // A Request cannot have the method TRACE; an unknown method is refused like any other.
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

/** Returns the path of a request. Clients may also send a whole URL, or `*`, which is not a page. */
function originForm(target: string): string {
  if (target.startsWith('/')) return target
  if (!URL.canParse(target)) return `/${target}`
  const { pathname, search } = new URL(target)
  return pathname.startsWith('/') ? pathname + search : '/*'
}

/**
 * Returns the URL with a path that can be decoded. Next fails with 500 when a `%` does not begin an escape of UTF-8:
 * each `%` is escaped then, so that the response is a page or an API error that says so.
 */
export function readableAddress(url: string): string {
  const [path = ''] = url.split(/[?#]/, 1)
  if (!path.includes('%')) return url
  try {
    decodeURIComponent(path)
    return url
  } catch {
    return path.replaceAll('%', '%25') + url.slice(path.length)
  }
}
