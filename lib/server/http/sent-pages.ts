import { createHash } from 'node:crypto'
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { createLog } from '../../log.ts'
import type { CachedPage, Encoding } from './cached-pages.ts'
import { needsScripts } from './client-modules.ts'
import { sayFailed } from './failed-page.ts'
import { hashPolicy, nonceOf } from './hash-policy.ts'
import { chooseRequestId } from './page-policy.ts'
import { plainPage } from './plain-page.ts'
import { knowsEtag } from './respond.ts'
import { loadScriptsAfterPaint } from './scripts-after-paint.ts'

const log = createLog('pages')
const zip = promisify(gzip)
const brotli = promisify(brotliCompress)
/** Takes half as long again as gzip for an eighth less; the next one takes ten times as long. */
const QUALITY = 8
/** A fifth less than gzip in 30 ms, beside the server's own thread: by it such a page fits what a new connection sends at once. */
const SMALL = { bytes: 131_072, quality: 10 }

/** A page as this server answered itself. */
export type Answer = { status: number; headers: IncomingHttpHeaders; body: Buffer }

/** What a page was made from: it is sent again while this is what it was. */
type Source = Pick<CachedPage, 'stamp' | 'reads'>

/** Headers of one response, and those that are set again whenever the page is sent. */
const NOT_CACHED = new Set([
  ...['connection', 'keep-alive', 'transfer-encoding', 'date', 'content-length', 'set-cookie'],
  ...['x-request-id', 'cache-control', 'etag', 'vary', 'content-security-policy', 'link'],
])

/** An answer of the API keeps its own tag. Null = a refusal, which is worded for its reader. */
export async function describeAnswer(answer: Answer, source: Source): Promise<CachedPage | null> {
  const { status, headers, body } = answer
  const { etag, 'cache-control': cacheControl } = headers
  if (status !== 200 || etag === undefined) return null
  const page = await describeBytes(answer, body, source)
  const own = {
    vary: listOnce(headers.vary, 'Accept-Encoding'),
    ...(cacheControl !== undefined && { 'cache-control': cacheControl }),
  }
  return { ...page, etag, headers: { ...page.headers, ...own } }
}

/** Null = the page names a nonce that could not be replaced. */
export async function describePage(answer: Answer, source: Source): Promise<CachedPage | null> {
  const policy = String(answer.headers['content-security-policy'] ?? '')
  const sent = answer.body.toString('utf8')
  const isShown = answer.status === 200 || answer.status === 404
  const html =
    (isShown ? withoutReact(sent) : null) ??
    loadScriptsAfterPaint(sayFailed(sent), nonceOf(policy) ?? '')
  const hashed = hashPolicy({ html, policy })
  if (hashed === null && policy.includes('nonce')) return null
  const page = await describeBytes(answer, hashed ? Buffer.from(hashed.html) : answer.body, source)
  const headers = { ...page.headers, ...pickPreloads(answer.headers.link) }
  return { ...page, headers, policy: hashed?.policy ?? page.policy }
}

/**
 * Of what Next preloads only the fonts, which the page itself does not name, and without the nonce of the first answer. What
 * else it lists stands a kilobyte behind, at the top of the page.
 */
function pickPreloads(link: string | string[] | undefined): { link?: string } {
  const fonts = String(link ?? '')
    .split(/, *(?=<)/)
    .filter((one) => one.includes('as="font"'))
    .map((one) => one.replace(/; *nonce="[^"]*"/, ''))
  return fonts.length > 0 ? { link: fonts.join(', ') } : {}
}

/** Null = the page needs React, or is not understood: then it is sent with all that Next wrote. */
function withoutReact(html: string): string | null {
  try {
    return plainPage(html, needsScripts)
  } catch (error) {
    log.warn('the scripts of a page could not be left out', { error })
    return null
  }
}

async function describeBytes(
  { status, headers }: Answer,
  bytes: Buffer,
  source: Source,
): Promise<CachedPage> {
  const fields = Object.entries(headers).flatMap(([name, value]) =>
    value === undefined || NOT_CACHED.has(name) ? [] : [[name, value] as const],
  )
  const digest = createHash('sha256').update(bytes).digest('base64url')
  return {
    status,
    headers: {
      ...Object.fromEntries(fields),
      // A browser revalidates each time, and gets a quick 304 when nothing changed.
      'cache-control': 'private, no-cache',
      vary: listOnce(headers.vary, 'Accept-Encoding', 'Cookie'),
    },
    policy: String(headers['content-security-policy'] ?? '') || null,
    body: bytes,
    encoded: await encode(bytes),
    etag: `W/"${digest.slice(0, 27)}"`,
    ...source,
    renderedAt: performance.now(),
  }
}

function listOnce(...lists: (string | undefined)[]): string {
  const names = lists.flatMap((list) => list?.split(/, */) ?? [])
  return [...new Map(names.map((name) => [name.toLowerCase(), name])).values()].join(', ')
}

async function encode(bytes: Buffer): Promise<CachedPage['encoded']> {
  const params = {
    [constants.BROTLI_PARAM_QUALITY]: bytes.length <= SMALL.bytes ? SMALL.quality : QUALITY,
    [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
  }
  const [br, gzipped] = await Promise.all([brotli(bytes, { params }), zip(bytes)])
  // Copied: zlib's are pieces of 16 kB each, which would stay in memory with them.
  return { br: Buffer.from(br), gzip: Buffer.from(gzipped) }
}

/** The smallest encoding that a reader takes; null = none of ours. */
export function chooseEncoding(accepted: string): Encoding | null {
  const taken = accepted.split(',').flatMap((one) => {
    const [name, ...parameters] = one.split(';').map((part) => part.trim().toLowerCase())
    return parameters.some((part) => /^q=0(\.0*)?$/.test(part)) ? [] : [name]
  })
  return (['br', 'gzip'] as const).find((encoding) => taken.includes(encoding)) ?? null
}

/** Sends a cached page to one reader, with headers of this answer alone. */
export function sendPage(
  request: IncomingMessage,
  response: ServerResponse,
  page: CachedPage,
  headers: Readonly<Record<string, string>> = {},
): void {
  if (response.closed) return
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value)
  const given = request.headers['x-request-id']
  response.setHeader('x-request-id', chooseRequestId(typeof given === 'string' ? given : null))
  for (const [name, value] of Object.entries(page.headers)) response.setHeader(name, value)
  if (page.policy !== null) response.setHeader('content-security-policy', page.policy)
  if (page.status === 200) response.setHeader('etag', page.etag)
  if (page.status === 200 && knowsEtag(request.headers['if-none-match'], page.etag)) {
    response.removeHeader('content-type')
    response.writeHead(304).end()
    return
  }
  const encoding = chooseEncoding(String(request.headers['accept-encoding'] ?? ''))
  const bytes = encoding === null ? page.body : page.encoded[encoding]
  if (encoding !== null) response.setHeader('content-encoding', encoding)
  response.setHeader('content-length', bytes.length)
  response.writeHead(page.status)
  response.end(request.method === 'HEAD' ? undefined : bytes)
}
