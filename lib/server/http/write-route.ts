import type { z } from 'zod'
import { databaseError } from '#lib/db/database-error.ts'
import { type Role, type Scope, safeNext } from '#lib/domain/accounts/index.ts'
import { escapeMarkup, formatIssues, problemLines } from '#lib/domain/text/index.ts'
import { env } from '#lib/env.ts'
import { AppError } from '#lib/errors.ts'
import { requireRole, type UserActor } from '#lib/server/accounts/auth.ts'
import { hasBearer, requireToken, type TokenActor } from '#lib/server/accounts/tokens.ts'
import { currentSite, isOwnAddress } from './own-origin.ts'
import { tooMany } from './post-route.ts'
import { RateLimiter } from './rate-limiter.ts'
import { followRequest, readRequestBody, requireSameOrigin } from './request.ts'
import { respondError } from './respond.ts'

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
    requireJsonType(request.headers)
    return parseJsonBody(await readRequestBody(request, maxBytes), schema)
  }
}

/** Throws an AppError (unsupported-type) unless a request's body is declared as JSON. */
export function requireJsonType(headers: Headers): void {
  if (!/^application\/json\s*(;|$)/i.test(headers.get('content-type') ?? ''))
    throw new AppError('unsupported-type', 'Send JSON, with "Content-Type: application/json".')
}

/** Throws an AppError (invalid-request). */
export function parseJsonBody<S extends z.ZodType>(body: Uint8Array, schema: S): z.infer<S> {
  let input: unknown
  try {
    input = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body))
  } catch {
    throw new AppError('invalid-request', 'The body is not JSON: nothing was written.')
  }
  const parsed = schema.safeParse(input)
  if (parsed.success) return parsed.data
  const lines = problemLines(formatIssues(parsed.error.issues), 5)
  throw new AppError('invalid-request', `Nothing was written: ${lines.join('; ')}`)
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

/** Returns whether a browser sent a form and shows the response to its reader. */
function isNavigation({ headers }: Request): boolean {
  return !headers.has('authorization') && (headers.get('accept') ?? '').includes('text/html')
}

/**
 * Responds to an error of a route that pages send forms to: a problem for programs, a page with a link back for
 * readers, and the sign-in page after a sign-out.
 */
function respondRefused(
  request: Request,
  error: unknown,
  requestId: string | null,
): Promise<Response> | Response {
  const problem = respondError(error, requestId)
  if (!isNavigation(request)) return problem
  const from = pageBefore(request)
  if (error instanceof AppError && error.code === 'unauthorised') {
    const place = `/sign-in?next=${encodeURIComponent(from)}`
    return new Response(null, { status: 303, headers: { Location: place } })
  }
  return asPage(problem, from)
}

async function asPage(problem: Response, from: string): Promise<Response> {
  const { detail }: { detail: string } = await problem.json()
  const headers = new Headers(problem.headers)
  headers.set('Content-Type', 'text/html; charset=utf-8')
  const html = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<title>Not done · Proofboard</title>
<h1>Not done</h1>
<p>${escapeMarkup(detail)}</p>
<p><a href="${escapeMarkup(from)}">Back</a></p>
</html>
`
  return new Response(html, { status: problem.status, headers })
}

/** Returns the page of this server that sent the form, as far as the browser names it. */
function pageBefore({ headers }: Request): string {
  const referer = headers.get('referer') ?? ''
  if (!URL.canParse(referer)) return safeNext(undefined)
  const { pathname, search } = new URL(referer)
  const isOurs = isOwnAddress(referer, headers, currentSite())
  return safeNext(isOurs ? `${pathname}${search}` : undefined)
}
