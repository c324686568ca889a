import { createHash } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { rm } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import { countOf } from '#lib/domain/text/index.ts'
import { databaseError } from '../../db/database-error.ts'
import type { Digest } from '../../domain/digest/index.ts'
import { AppError } from '../../errors.ts'
import { BODY_LIMITS, type BodyLimits, formatMegabytes, RATIO_FREE_BYTES } from './limits.ts'

/** A body on disk, decompressed if it was gzip: `digest` and `sentBytes` are of what was sent. */
export type Body = {
  kind: Exclude<BodyKind, 'gzip'>
  file: string
  sentBytes: number
  digest: Digest
}

type Options = {
  /** Destination; removed again when the body is refused. */
  file: string
  /** Type declared by the sender; empty = none. It has to match the bytes. */
  contentType?: string
  /** True if its Content-Encoding is gzip; the content may have any type. */
  isDeclaredGzip?: boolean
  limits?: BodyLimits
}

const HEAD_BYTES = 512

/**
 * Streams a body to disk, with one piece in memory at a time. Throws as early as possible when it is too large (sent,
 * decompressed, or their ratio), too slow, damaged, empty, or of an unknown type.
 */
export async function readUploadBody(
  source: AsyncIterable<Uint8Array>,
  options: Options,
): Promise<Body> {
  const { file, contentType = '', isDeclaredGzip = false, limits = BODY_LIMITS } = options
  const hash = createHash('sha256')
  let sentBytes = 0
  const sent = limitBytes(withTimeLimit(source, limits), (sum) => {
    sentBytes = sum
    if (sum > limits.sentBytes) throw tooLarge('the upload is larger than', limits.sentBytes)
  })
  try {
    const { head, all } = await readHead(hashWhileReading(sent, hash), HEAD_BYTES)
    const kind = checkKind(head, contentType)
    if (isDeclaredGzip && kind !== 'gzip')
      throw unsupported(`its Content-Encoding is gzip, but it is ${kind}`)
    if (kind !== 'gzip') {
      if (kind === 'text') await write(all, file, limits.plainBytes)
      else await write(all, file, kind === 'tar' ? limits.archiveBytes : limits.sentBytes)
      return { kind, file, sentBytes, digest: `sha256:${hash.digest('hex')}` }
    }
    const inner = await unpack(all, file, limits, () => sentBytes)
    return { kind: inner, file, sentBytes, digest: `sha256:${hash.digest('hex')}` }
  } catch (error) {
    await rm(file, { force: true })
    throw toUploadError(error)
  }
}

async function* hashWhileReading(
  source: AsyncIterable<Buffer>,
  hash: ReturnType<typeof createHash>,
) {
  for await (const chunk of source) {
    hash.update(chunk)
    yield chunk
  }
}

function checkKind(head: Buffer, contentType: string): BodyKind {
  if (head.length === 0) throw new AppError('invalid-request', 'the upload is empty')
  const kind = sniffKind(head)
  if (kind === null) throw unsupported('its first bytes match none of these')
  const fits = fitsContentType(kind, contentType)
  const type = contentType.slice(0, 80)
  if (fits === null) throw unsupported(`its Content-Type is ${type}`)
  if (!fits) throw unsupported(`its Content-Type is ${type}, but it is ${kind}`)
  return kind
}

async function unpack(
  packed: AsyncIterable<Uint8Array>,
  file: string,
  limits: BodyLimits,
  sentBytes: () => number,
): Promise<'text' | 'tar' | 'zip'> {
  const gunzip = createGunzip()
  const feeding = pipeline(Readable.from(packed, { objectMode: false }), gunzip)
  feeding.catch(() => {}) // the reader gets the error
  const plain = limitBytes(gunzip, (sum) => checkRatio(sum, sentBytes(), limits))
  const { head, all } = await readHead(plain, HEAD_BYTES)
  const kind = checkKind(head, '')
  if (kind !== 'text' && kind !== 'tar') throw unsupported(`it is ${kind} inside gzip`)
  await write(all, file, kind === 'tar' ? limits.archiveBytes : limits.plainBytes)
  await feeding
  return kind
}

/** Throws for a compression ratio far beyond that of any log or result. */
export function checkRatio(plainBytes: number, packedBytes: number, limits: BodyLimits): void {
  if (plainBytes <= RATIO_FREE_BYTES || plainBytes <= packedBytes * limits.ratio) return
  const message = `the upload unpacks to more than ${countOf(limits.ratio, 'time')} its size, which no result does`
  throw new AppError('too-large', message)
}

async function write(
  source: AsyncIterable<Uint8Array>,
  file: string,
  maxBytes: number,
): Promise<void> {
  const checked = limitBytes(source, (sum) => {
    if (sum > maxBytes) throw tooLarge('the upload unpacks to more than', maxBytes)
  })
  await pipeline(
    Readable.from(checked, { objectMode: false }),
    createWriteStream(file, { mode: 0o600 }),
  )
}

export function tooLarge(what: string, bytes: number): AppError {
  return new AppError(
    'too-large',
    `${what} ${formatMegabytes(bytes)}: split it into smaller uploads`,
  )
}

function unsupported(why: string): AppError {
  const message = `only JSON, JSON Lines, zip and tar can be uploaded, each with or without gzip: ${why}`
  return new AppError('unsupported-type', message)
}

/** Converts errors of the connection, of gzip and of the disk to an AppError; others stay unchanged. */
function toUploadError(error: unknown): unknown {
  const { code } = error as NodeJS.ErrnoException
  if (code?.startsWith('Z_')) {
    const message = 'the gzip data is damaged or cut off: compress and send it again'
    return new AppError('invalid-request', message, { cause: error })
  }
  if (code === 'ECONNRESET' || code === 'ERR_STREAM_PREMATURE_CLOSE') {
    const message = 'the upload was cut off and nothing was stored: send it again'
    return new AppError('invalid-request', message, { cause: error })
  }
  return databaseError(error) // converts a full disk too
}

/** Type of a body by its first bytes: text may be JSON of any kind. */
type BodyKind = 'text' | 'zip' | 'tar' | 'gzip'

/** Null = not supported. A tar identifies itself at byte 257, so `head` should be that long. */
function sniffKind(head: Buffer): BodyKind | null {
  if (head.length >= 2 && head[0] === 0x1f && head[1] === 0x8b) return 'gzip'
  const signature = head.toString('latin1', 0, 4)
  if (signature === 'PK\u0003\u0004' || signature === 'PK\u0005\u0006') return 'zip'
  if (head.toString('latin1', 257, 262) === 'ustar') return 'tar'
  // Text contains no control characters other than white space; a byte order mark is reported later.
  return head.some((byte) => byte < 0x09) && !isWideText(head) ? null : 'text'
}

function isWideText(head: Buffer): boolean {
  return (head[0] === 0xff && head[1] === 0xfe) || (head[0] === 0xfe && head[1] === 0xff)
}

const TYPES: Readonly<Record<string, readonly BodyKind[]>> = {
  'application/json': ['text', 'gzip'],
  'application/x-ndjson': ['text', 'gzip'],
  'application/ndjson': ['text', 'gzip'],
  'application/jsonl': ['text', 'gzip'],
  'application/xml': ['text', 'gzip'],
  'text/xml': ['text', 'gzip'],
  'text/plain': ['text', 'gzip'],
  'application/gzip': ['gzip'],
  'application/x-gzip': ['gzip'],
  'application/x-compressed-tar': ['gzip'],
  'application/x-tar': ['tar', 'gzip'],
  'application/zip': ['zip'],
  'application/x-zip-compressed': ['zip'],
}
const ANYTHING = new Set(['', 'application/octet-stream', 'binary/octet-stream'])

/** Returns whether a body may be declared as this type; null = the type is not supported at all. */
function fitsContentType(kind: BodyKind, contentType: string): boolean | null {
  const type = contentType.split(';')[0]?.trim().toLowerCase() ?? ''
  if (ANYTHING.has(type)) return true
  return TYPES[type]?.includes(kind) ?? null
}

type Bytes = AsyncIterable<Uint8Array>

/** Passes bytes on and counts them; `check` gets the sum before the bytes are passed on, and may throw. */
export async function* limitBytes(
  source: Bytes,
  check: (sum: number) => void,
): AsyncGenerator<Buffer> {
  let sum = 0
  for await (const chunk of source) {
    sum += chunk.byteLength
    check(sum)
    yield Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength)
  }
}

/** Passes bytes on; fails after `idleMs` without any, and after `totalMs`. */
export async function* withTimeLimit(
  source: Bytes,
  { idleMs, totalMs }: { idleMs: number; totalMs: number },
): AsyncGenerator<Uint8Array> {
  const pieces = source[Symbol.asyncIterator]()
  const endsAt = performance.now() + totalMs
  try {
    while (true) {
      const piece = await within(pieces.next(), Math.min(idleMs, endsAt - performance.now()))
      if (piece.done) return
      yield piece.value
    }
  } finally {
    // Not awaited, because a source that hangs would hang here too.
    pieces.return?.().catch(() => {})
  }
}

async function within<T>(work: Promise<T>, ms: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    const message = 'the upload timed out and nothing was stored: send it again'
    timer = setTimeout(() => reject(new AppError('invalid-request', message)), Math.max(0, ms))
  })
  try {
    return await Promise.race([work, late])
  } finally {
    clearTimeout(timer)
  }
}

/** Reads the first `wanted` bytes, or fewer if the source ends; `all` yields every byte including those. */
async function readHead(
  source: Bytes,
  wanted: number,
): Promise<{ head: Buffer; all: AsyncGenerator<Uint8Array> }> {
  const pieces = source[Symbol.asyncIterator]()
  const first: Uint8Array[] = []
  let length = 0
  while (length < wanted) {
    const piece = await pieces.next()
    if (piece.done) break
    first.push(piece.value)
    length += piece.value.byteLength
  }
  const head = Buffer.concat(first)
  return { head: head.subarray(0, wanted), all: prepend(head, pieces) }
}

async function* prepend(head: Buffer, rest: AsyncIterator<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    if (head.length > 0) yield head
    for (let piece = await rest.next(); !piece.done; piece = await rest.next()) yield piece.value
  } finally {
    rest.return?.().catch(() => {})
  }
}
