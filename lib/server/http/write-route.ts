import type { z } from 'zod'
import { databaseError } from '#lib/db/database-error.ts'
import type { Role, Scope } from '#lib/domain/accounts/index.ts'
import { formatIssues, problemLines } from '#lib/domain/text/index.ts'
import { env } from '#lib/env.ts'
import { AppError } from '#lib/errors.ts'
import type { UserActor } from '#lib/server/accounts/auth.ts'
import { requireRole } from '#lib/server/accounts/auth.ts'
import { hasBearer, requireToken, type TokenActor } from '#lib/server/accounts/tokens.ts'
import { tooMany } from './post-route.ts'
import { RateLimiter } from './rate-limiter.ts'
import { followRequest, readRequestBody, requireSameOrigin } from './request.ts'
import { respondRefused } from './respond-refused-form.ts'

type Params = Readonly<Record<string, string>>
type RouteContext<P extends Params> = { params: Promise<P> }

/** The sender of a write, its input, and its id. */
export type Write<T, P extends Params> = {
  input: T
  actor: UserActor | TokenActor
  params: P
  request: Request
  requestId: string
}

type WriteRouteOptions<T, P extends Params> = {
  /** A program needs a token with this scope, a browser a session with this role and a page of this site. */
  scope: Scope
  role: Role
  /** Converts the body to the input; called only after authorisation. */
  read: (request: Request) => Promise<T>
  run: (write: Write<T, P>) => Promise<Response>
}

/**
 * Creates a POST, PUT or DELETE route: authorise, count, read, write, respond; every error becomes a problem, or a page
 * for the sender of a form.
 */
export function writeRoute<T, P extends Params = Record<never, string>>(
  order: WriteRouteOptions<T, P>,
) {
  const limiter = new RateLimiter()
  return (request: Request, context: RouteContext<P>): Promise<Response> =>
    followRequest(request, async (requestId) => {
      try {
        const actor = await authorise(request.headers, order)
        if (actor.kind === 'token') countWrite(limiter, actor.id)
        const [input, params] = [await order.read(request), await context.params]
        return await order.run({ input, actor, params, request, requestId })
      } catch (error) {
        return await respondRefused(request, databaseError(error), requestId)
      }
    })
}

/** Counts writes of programs; people hardly send too many. */
function countWrite(limiter: RateLimiter, sender: string): void {
  const { writesPerMinute: perMinute } = env()
  const { allowed, retrySeconds } = limiter.take('writes', sender, { perMinute, burst: perMinute })
  if (!allowed) throw tooMany('nothing was stored', retrySeconds)
}

/** Returns a reader of a JSON body of at most `maxBytes` with this schema. */
export function jsonBody<S extends z.ZodType>(schema: S, maxBytes: number) {
  return async (request: Request): Promise<z.infer<S>> => {
    const type = request.headers.get('content-type') ?? ''
    if (!/^application\/json\s*(;|$)/i.test(type)) {
      throw new AppError('unsupported-type', 'Send JSON, with "Content-Type: application/json".')
    }
    const parsed = schema.safeParse(parseJson(await readRequestBody(request, maxBytes)))
    if (parsed.success) return parsed.data
    const lines = problemLines(formatIssues(parsed.error.issues), 5)
    throw new AppError('invalid-request', `Nothing was written: ${lines.join('; ')}`)
  }
}

/** Returns the sender. A token takes precedence: its sender is a program, authorised by the token alone. */
async function authorise(
  headers: Headers,
  { scope, role }: { scope: Scope; role: Role },
): Promise<UserActor | TokenActor> {
  if (hasBearer(headers)) return requireToken(headers, scope)
  const actor = await requireRole(headers, role)
  requireSameOrigin(headers)
  return actor
}

function parseJson(body: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body))
  } catch {
    throw new AppError('invalid-request', 'The body is not JSON: nothing was written.')
  }
}
