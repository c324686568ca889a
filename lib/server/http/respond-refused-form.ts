import { safeNext } from '../../domain/accounts/index.ts'
import { escapeMarkup } from '../../domain/text/index.ts'
import { AppError } from '../../errors.ts'
import { currentSite, isOwnAddress } from './own-origin.ts'
import { respondError } from './respond.ts'

/** Returns whether a browser sent a form and shows the response to its reader. */
function isNavigation({ headers }: Request): boolean {
  return !headers.has('authorization') && (headers.get('accept') ?? '').includes('text/html')
}

/**
 * Responds to an error of a route that pages send forms to: a problem for programs, a page with a link back for
 * readers, and the sign-in page after a sign-out.
 */
export function respondRefused(
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
