import { createHash } from 'node:crypto'
import { STATUS_CODES } from 'node:http'
import type { z } from 'zod'
import { countOf, safeFileName } from '#lib/domain/text/index.ts'
import { parseRangeHeader, type problemSchema } from '../../domain/api/index.ts'
import { AppError, type ErrorCode } from '../../errors.ts'
import { createLog } from '../../log.ts'
import { type ByteReader, streamBytes } from '../evidence/byte-reader.ts'

/** For data that may change with every episode: revalidated each time. */
const ASK_EACH_TIME = 'no-cache'

type Options = {
  status?: number
  type?: 'application/json' | 'application/schema+json'
  cacheControl?: string
}

/** Responds with JSON and an ETag. */
export function respondJson(
  request: Request,
  value: unknown,
  { status, type = 'application/json', cacheControl }: Options = {},
): Response {
  const whole = { 'Content-Type': type }
  return respondTagged(request, JSON.stringify(value), { status, whole, cacheControl })
}

type Tagged = {
  status?: number | undefined
  etag?: string
  cacheControl?: string | undefined
  /** Headers of each response, also without its bytes. */
  always?: Readonly<Record<string, string>>
  /** Headers of a response with its bytes. */
  whole: Readonly<Record<string, string>>
}

/** Responds with bytes and their ETag; 304 without a body when the client has them. */
function respondTagged(
  request: Request,
  body: string | Uint8Array<ArrayBuffer>,
  options: Tagged,
): Response {
  const { status = 200, etag = etagOf(body), cacheControl = ASK_EACH_TIME, always, whole } = options
  const headers = { 'Cache-Control': cacheControl, ...always, ETag: etag }
  if (status === 200 && isKnown(request, etag)) return new Response(null, { status: 304, headers })
  return new Response(body, { status, headers: { ...headers, ...whole } })
}

/** Responds with JSON that is stored under its digest: 304 without reading it when the client has it. */
export async function respondStoredJson(
  request: Request,
  { digest, read }: { digest: string; read: () => Promise<Buffer> },
): Promise<Response> {
  const etag = etagOfDigest(digest)
  const body = isKnown(request, etag) ? '' : new Uint8Array(await read())
  return respondTagged(request, body, { etag, whole: { 'Content-Type': 'application/json' } })
}

type TextFile = { name: string; type: 'text/csv' | 'text/markdown'; body: string }

/** Responds with a text for saving under a name. */
export function respondFile(request: Request, { name, type, body }: TextFile): Response {
  const whole = {
    'Content-Disposition': `attachment; filename="${safeFileName(name)}"`,
    'Content-Type': `${type}; charset=utf-8`,
  }
  return respondTagged(request, body, { whole })
}

/** Responds with a text for display. */
export function respondText(request: Request, body: string): Response {
  return respondTagged(request, body, { whole: { 'Content-Type': 'text/markdown; charset=utf-8' } })
}

/** Five minutes: badges are read often and change rarely. */
export const BADGE_CACHE = 'public, max-age=300'

/** Responds with a badge: for any site, revalidated after five minutes; opened as a page, it may do nothing. */
export function respondBadge(request: Request, svg: string, status: 200 | 404): Response {
  return respondTagged(request, svg, {
    status,
    cacheControl: BADGE_CACHE,
    always: {
      'Content-Security-Policy': "default-src 'none'; sandbox",
      'Cross-Origin-Resource-Policy': 'cross-origin',
      'X-Content-Type-Options': 'nosniff',
    },
    whole: { 'Content-Type': 'image/svg+xml; charset=utf-8' },
  })
}

/**
 * Responds with a file's bytes as plain text, whole or the requested range, read while they are sent. Always closes the
 * file.
 */
export async function respondBytes(request: Request, file: ByteReader): Promise<Response> {
  const { sizeBytes, version } = file
  const etag = `"${version}"`
  const headers = {
    'Accept-Ranges': 'bytes',
    // A part of a file must arrive byte for byte, so it is not compressed.
    'Cache-Control': 'no-cache, no-transform',
    'Content-Type': 'text/plain; charset=utf-8',
    ETag: etag,
    'X-Content-Type-Options': 'nosniff',
  }
  const ifRange = request.headers.get('if-range')
  const isSame = ifRange === null || ifRange === etag
  const range = isSame ? parseRangeHeader(request.headers.get('range'), sizeBytes) : null
  if (isKnown(request, etag) || range === 'none') {
    await file.close()
    if (range !== 'none') return new Response(null, { status: 304, headers })
    const message = `The file has ${countOf(sizeBytes, 'byte')}: the requested range is outside the file.`
    const size = { 'Content-Range': `bytes */${sizeBytes}` }
    return respondError(new AppError('no-such-range', message), null, size)
  }
  const { start, end } = range ?? { start: 0, end: sizeBytes - 1 }
  const contentRange = range ? { 'Content-Range': `bytes ${start}-${end}/${sizeBytes}` } : {}
  return new Response(await streamBytes(file, start, end), {
    status: range ? 206 : 200,
    headers: { ...headers, ...contentRange, 'Content-Length': String(end - start + 1) },
  })
}

type ImageBody = {
  type: `image/${'png' | 'jpeg' | 'webp'}`
  bytes: Uint8Array<ArrayBuffer>
  digest: string
}

/**
 * Responds with untrusted bytes as an image and as nothing else. The ETag is their digest, so a client that has them
 * need not fetch them again.
 */
export function respondImage(request: Request, { type, bytes, digest }: ImageBody): Response {
  return respondTagged(request, bytes, {
    etag: `"${digest}"`,
    cacheControl: 'public, max-age=3600',
    always: {
      'Content-Security-Policy': "default-src 'none'; sandbox",
      'Cross-Origin-Resource-Policy': 'same-origin',
      'X-Content-Type-Options': 'nosniff',
    },
    whole: {
      'Content-Disposition': `inline; filename="final-page.${type.replace('image/', '')}"`,
      'Content-Length': String(bytes.byteLength),
      'Content-Type': type,
    },
  })
}

type Done = { status?: number; headers?: Readonly<Record<string, string>> | undefined }

/** Responds with the result of a write, in lines that a person reads in a CI log. */
export function respondDone(value: unknown, { status = 200, headers }: Done = {}): Response {
  const own = { 'Content-Type': 'application/json', 'Cache-Control': 'no-store', ...headers }
  return new Response(logSafeJson(value), { status, headers: own })
}

/** One error in a request body, and its place. */
type ProblemDetail = { path: string; message: string }

type ProblemOptions = {
  status: number
  code: ErrorCode | 'internal'
  /** Sentence that says what happened, what was stored, and what to do. */
  detail: string
  requestId: string | null
  errors?: readonly ProblemDetail[]
  /** Members of this kind of problem. */
  more?: Readonly<Record<string, unknown>>
  headers?: Readonly<Record<string, string>>
}

const log = createLog('http')

/**
 * Responds with a problem as in RFC 9457, in lines that a person reads in a CI log; `error` is a member of every route.
 */
export function respondProblem(order: ProblemOptions): Response {
  const { status, code, detail, requestId, errors, more, headers } = order
  const body: z.infer<typeof problemSchema> = {
    type: 'about:blank',
    title: STATUS_CODES[status] ?? 'Refused',
    status,
    detail,
    code,
    ...(requestId !== null && { requestId }),
    ...(errors && { errors: [...errors] }),
    ...more,
    error: { code, message: detail },
  }
  return new Response(logSafeJson(body), {
    status,
    headers: {
      'Content-Type': 'application/problem+json',
      'Cache-Control': 'no-store',
      ...headers,
    },
  })
}

/** Seconds until a retry, unless the error contains them. */
const RETRY_SECONDS: Partial<Record<number, number>> = { 429: 5, 503: 5 }

/**
 * Responds to any error with a problem; an unexpected one is logged, and reported without its message, by the id in the
 * log.
 */
export function respondError(
  error: unknown,
  requestId: string | null = null,
  headers: Readonly<Record<string, string>> = {},
): Response {
  if (!(error instanceof AppError)) {
    log.error('a request failed, please report this bug', { error })
    const quote =
      requestId === null ? '' : ` Include the request id ${requestId} when you report it.`
    const detail = `Something went wrong here, and nothing was stored.${quote}`
    return respondProblem({ status: 500, code: 'internal', detail, requestId, headers })
  }
  const { code, message, httpStatus: status, retryAfterMs } = error
  const given = retryAfterMs === null ? null : Math.max(1, Math.ceil(retryAfterMs / 1000))
  const seconds = given ?? RETRY_SECONDS[status]
  return respondProblem({
    status,
    code,
    detail: message,
    requestId,
    errors: [{ path: '(root)', message }],
    headers: {
      ...(code === 'unauthorised' && { 'WWW-Authenticate': 'Bearer realm="proofboard"' }),
      ...(seconds !== undefined && { 'Retry-After': String(seconds) }),
      ...headers,
    },
  })
}

/** Returns a strong validator of these bytes. */
export function etagOf(body: string | Uint8Array): string {
  return `"${createHash('sha256').update(body).digest('base64url').slice(0, 27)}"`
}

/** Returns a strong validator of bytes with this digest (`sha256:…`). */
function etagOfDigest(digest: string): string {
  const hash = Buffer.from(digest.slice('sha256:'.length), 'hex')
  return `"${hash.toString('base64url').slice(0, 27)}"`
}

/** Returns whether the client has these bytes already. */
export function isKnown(request: Request, etag: string): boolean {
  return knowsEtag(request.headers.get('if-none-match'), etag)
}

/** Compares an ETag with the header `If-None-Match`; a weak tag counts like a strong one. */
export function knowsEtag(known: string | null | undefined, etag: string): boolean {
  if (!known) return false
  const own = etag.replace(/^W\//, '')
  return known.split(',').some((entry) => ['*', own].includes(entry.trim().replace(/^W\//, '')))
}

/** Characters that a terminal or a log viewer would interpret, or hide; JSON does not escape them. */
const ACTING = /[\u007f-\u009f\u2028\u2029\p{Cf}]/gu

/** Formats JSON in lines for display: untrusted text in it can neither hide, move nor reorder anything. */
export function logSafeJson(value: unknown): string {
  const text = JSON.stringify(value, null, 2).replace(ACTING, (character) =>
    Array.from({ length: character.length }, (_, at) => escapeUnit(character, at)).join(''),
  )
  return `${text}\n`
}

function escapeUnit(text: string, at: number): string {
  return `\\u${text.charCodeAt(at).toString(16).padStart(4, '0')}`
}
