import { databaseError } from '#lib/db/database-error.ts'
import { AppError } from '#lib/errors.ts'
import { addressOf, networkOf, RateLimiter } from './rate-limiter.ts'
import { refuseMethod } from './read-route.ts'
import { followRequest } from './request.ts'
import { respondError } from './respond.ts'

/** A request within its network's limit, otherwise unchecked. */
type Posted<P> = {
  request: Request
  params: P
  requestId: string
  /** Counts the request for its sender, once that is known. Throws an AppError (too-many-requests). */
  count: (pool: string, sender: string, perMinute: number) => void
}

type PostRoute<P> = {
  /** Consequence of a refusal: `nothing was stored`. */
  refused: string
  /** Requests of a network before authentication: enough for a whole office, but not for a flood of invented tokens. */
  perNetwork?: number
  response: (posted: Posted<P>) => Promise<Response>
}

type Handler<P> = (request: Request, context?: { params: Promise<P> }) => Promise<Response>

/** Creates a POST route for programs: counted before anything is read; every error becomes a problem. */
export function postRoute<P = Readonly<Record<string, string>>>({
  refused,
  perNetwork = 300,
  response: handle,
}: PostRoute<P>) {
  const limiter = new RateLimiter()
  const post: Handler<P> = (request, context) =>
    followRequest(request, async (requestId) => {
      let headers: Record<string, string> = {}
      const count = (pool: string, sender: string, perMinute: number) => {
        const counted = limiter.take(pool, sender, { perMinute, burst: perMinute })
        headers = counted.headers
        if (!counted.allowed) throw tooMany(refused, counted.retrySeconds)
      }
      try {
        const address = addressOf(request.headers)
        if (address !== null) count('address', networkOf(address), perNetwork)
        const params = (await context?.params) ?? ({} as P)
        const response = await handle({ request, params, requestId, count })
        for (const [name, value] of Object.entries(headers)) response.headers.set(name, value)
        return response
      } catch (error) {
        return respondError(databaseError(error), requestId, headers)
      }
    })
  return { POST: post, GET: refuse, HEAD: refuse, PUT: refuse, PATCH: refuse, DELETE: refuse }
}

const refuse = (request: Request) => refuseMethod(request.method, 'POST')

/** Returns the error of a rate limit. `refused` = consequence for the request: `nothing was stored`. */
export function tooMany(refused: string, retrySeconds: number): AppError {
  const message = `Rate limit exceeded: ${refused}, send it again in ${retrySeconds} s.`
  return new AppError('too-many-requests', message, { retryAfterMs: retrySeconds * 1000 })
}
