import { type NextRequest, NextResponse } from 'next/server'
import { env } from '#lib/env.ts'
import { chooseRequestId, pagePolicy } from '#lib/server/http/page-policy.ts'
import { refuseBody, refusePage } from '#lib/server/http/refuse-request.ts'

// biome-ignore lint/style/noProcessEnv: Next's own switch, replaced when it builds
const IS_DEVELOPMENT = process.env.NODE_ENV === 'development'

/** Before every page: refuses what Next would fail at; sets a policy with a nonce of its own, an id for the logs, and the path for the sign-in to return to. */
export async function proxy(request: NextRequest): Promise<NextResponse> {
  const { siteUrl: publicUrl, trustedProxy: isBehindProxy } = env()
  const refusal = refusePage(request, { publicUrl, isBehindProxy }) ?? (await refuseBody(request))
  if (refusal) {
    const headers = { 'content-type': 'text/plain; charset=utf-8', ...refusal.headers }
    return new NextResponse(`${refusal.message}\n`, { status: refusal.status, headers })
  }
  const nonce = btoa(String.fromCharCode(...crypto.getRandomValues(new Uint8Array(16))))
  const policy = pagePolicy(nonce, IS_DEVELOPMENT)
  const requestId = chooseRequestId(request.headers.get('x-request-id'))
  const { pathname, search } = request.nextUrl
  // These names are ours: whatever a browser sent under them is written over.
  const headers = new Headers(request.headers)
  headers.set('x-nonce', nonce)
  headers.set('x-request-id', requestId)
  headers.set('x-page-path', `${pathname}${search}`)
  headers.set('content-security-policy', policy)
  const response = NextResponse.next({ request: { headers } })
  response.headers.set('content-security-policy', policy)
  response.headers.set('x-request-id', requestId)
  return response
}

/** Pages only. Routes under /api answer no page (next.config.ts), and a body that passes here is held in memory. */
export const config = { matcher: ['/((?!api/|_next/static/|icon.svg|feed\\.|llms\\.txt).*)'] }
