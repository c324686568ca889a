import { type NextRequest, NextResponse } from 'next/server'
import { findPage } from '#lib/server/board/find-page.ts'
import { currentSite, isOwnAddress } from '#lib/server/http/own-origin.ts'
import { chooseRequestId, pagePolicy } from '#lib/server/http/page-policy.ts'
import { findResponse } from '#lib/server/http/peer-address.ts'
import { countRead } from '#lib/server/http/rate-limiter.ts'
import { type Refusal, refuseBody, refusePage } from '#lib/server/http/refuse-request.ts'
import { takeRenderSlot } from '#lib/server/http/render-slots.ts'
import { respondMissing } from '#lib/server/http/respond-missing.ts'
import {
  cacheHeaders,
  findValidTag,
  isShared,
  pageTag,
  readPageState,
} from '#lib/server/http/shared-pages.ts'

// biome-ignore lint/style/noProcessEnv: Next's own switch, replaced when it builds
const IS_DEVELOPMENT = process.env.NODE_ENV === 'development'

/** Runs before every page: refuses, redirects or revalidates the request, or queues it for rendering. */
export async function proxy(request: NextRequest): Promise<NextResponse> {
  const refusal =
    refusePage(request, currentSite()) ??
    (await refuseBody(request)) ??
    refuseFlood(request.headers)
  if (refusal) return refuse(refusal)
  return request.method === 'POST'
    ? render(request, describePage(request, { isPublic: false }))
    : answerRead(request)
}

function refuseFlood(headers: Headers): Refusal | null {
  const counted = countRead(headers, 'pages')
  if (counted === null || counted.allowed) return null
  const { retrySeconds, headers: told } = counted
  const message = `Too many pages from your address. Retry in ${retrySeconds} s.`
  return { status: 429, message, headers: { ...told, 'retry-after': String(retrySeconds) } }
}

const BUSY: Refusal = {
  status: 503,
  message: 'Too many pages are being rendered. Retry in a moment.',
  headers: { 'retry-after': '2' },
}

function refuse({ status, message, headers }: Refusal): NextResponse {
  const type = { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store' }
  return new NextResponse(`${message}\n`, { status, headers: { ...type, ...headers } })
}

async function answerRead(request: NextRequest): Promise<NextResponse> {
  const { method, headers, nextUrl } = request
  const isPublic =
    !isRouterRequest(headers) && isShared({ method, pathname: nextUrl.pathname, headers })
  const state = isPublic && !IS_DEVELOPMENT ? await readPageState(nextUrl.pathname) : null
  const known = state && findValidTag(headers.get('if-none-match'), state)
  // A policy would replace that of the cached page, whose nonce differs.
  if (known) return new NextResponse(null, { status: 304, headers: cacheHeaders(isPublic, known) })
  const found = await findPage(nextUrl)
  if (found.kind === 'moved')
    return NextResponse.redirect(new URL(found.to, nextUrl), {
      status: 307,
      headers: cacheHeaders(isPublic, null),
    })
  const head = describePage(request, { isPublic, state })
  if (found.kind === 'missing') return answerMissing(nextUrl, head)
  const slot = await takeRenderSlot(headers)
  return slot === 'taken' ? render(request, head) : refuse(BUSY)
}

async function answerMissing({ pathname, search }: URL, head: PageHead): Promise<NextResponse> {
  const { body, status, headers } = await respondMissing(`${pathname}${search}`, head.nonce)
  return new NextResponse(body, {
    status,
    headers: { ...Object.fromEntries(headers), ...head.headers },
  })
}

/** Returns true if Next's router requests a page's data: Next removes its header before a proxy sees it. */
function isRouterRequest(headers: Headers): boolean {
  return findResponse(headers)?.req.headers.rsc !== undefined
}

/** Headers of a response with a page, and the values that its body needs. */
type PageHead = {
  nonce: string
  policy: string
  requestId: string
  headers: Record<string, string>
}

type PageOptions = { isPublic: boolean; state?: string | null }

/** Makes a policy with a new nonce, an id for the logs, and the cache lifetime of the page. */
function describePage(request: NextRequest, { isPublic, state = null }: PageOptions): PageHead {
  const nonce = btoa(String.fromCharCode(...crypto.getRandomValues(new Uint8Array(16))))
  const policy = pagePolicy(nonce, IS_DEVELOPMENT)
  const requestId = chooseRequestId(request.headers.get('x-request-id'))
  const headers = {
    ...cacheHeaders(isPublic, state === null ? null : pageTag(state, nonce)),
    'content-security-policy': policy,
    'x-request-id': requestId,
  }
  return { nonce, policy, requestId, headers }
}

/** Passes the request on with the values for rendering, and with its path, to which sign-in returns. */
function render(
  request: NextRequest,
  { nonce, policy, requestId, headers }: PageHead,
): NextResponse {
  const { pathname, search } = request.nextUrl
  // These names are reserved: values sent by a browser are overwritten.
  const passed = new Headers(request.headers)
  passed.set('x-nonce', nonce)
  passed.set('x-request-id', requestId)
  passed.set('x-page-path', `${pathname}${search}`)
  passed.set('content-security-policy', policy)
  // Next compares the origin of a form with this header. `serverActions.allowedOrigins` would be fixed when an image is
  // built.
  const origin = request.headers.get('origin')
  if (isOwnAddress(origin, request.headers, currentSite()))
    passed.set('x-forwarded-host', new URL(origin).host)
  return NextResponse.next({ request: { headers: passed }, headers })
}

/** Pages only. Routes under /api do not respond with pages (next.config.ts), and a proxied body is held in memory. */
export const config = { matcher: ['/((?!api/|_next/static/|icon.svg|feed\\.|llms\\.txt).*)'] }
