import { createHash } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { rm } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import { databaseError } from '#lib/db/database-error.ts'
import type { Digest } from '#lib/domain/digest.ts'
import { AppError } from '#lib/errors.ts'
import { BODY_LIMITS, type BodyLimits, RATIO_FREE_BYTES, sayMegabytes } from '../limits.ts'
import { metered, peek, timed } from './metered.ts'
import { type BodyKind, fitsContentType, sniffKind } from './sniff-kind.ts'

/** A body on disk, unpacked if it was gzip: `digest` and `sentBytes` are of what was sent. */
export type Body = {
  kind: Exclude<BodyKind, 'gzip'>
  file: string
  sentBytes: number
  digest: Digest
}

type Order = {
  /** Where it is written; removed again when the body is refused. */
  file: string
  /** What the sender says it is; empty = nothing. The bytes decide, and must not be something else. */
  contentType?: string
  /** The sender says that it is gzip, whatever type it has inside. */
  saysGzip?: boolean
  limits?: BodyLimits
}

const HEAD_BYTES = 512

/**
 * Writes a body to disk as it comes, never more of it in memory than a piece. Refuses, as early as it shows, what is too
 * large (as sent, unpacked, or the one against the other), too slow, damaged, empty, or of no kind that we read.
 */
export async function readBody(source: AsyncIterable<Uint8Array>, order: Order): Promise<Body> {
  const { file, contentType = '', saysGzip = false, limits = BODY_LIMITS } = order
  const hash = createHash('sha256')
  let sentBytes = 0
  const sent = metered(timed(source, limits), (sum) => {
    sentBytes = sum
    if (sum > limits.sentBytes) throw tooLarge('the upload is larger than', limits.sentBytes)
  })
  try {
    const { head, all } = await peek(hashed(sent, hash), HEAD_BYTES)
    const kind = checkKind(head, contentType)
    if (saysGzip && kind !== 'gzip')
      throw unsupported(`its Content-Encoding says gzip, and it is ${kind}`)
    if (kind !== 'gzip') {
      if (kind === 'text') await write(all, file, limits.plainBytes)
      else await write(all, file, kind === 'tar' ? limits.archiveBytes : limits.sentBytes)
      return { kind, file, sentBytes, digest: `sha256:${hash.digest('hex')}` }
    }
    const inner = await unpack(all, file, limits, () => sentBytes)
    return { kind: inner, file, sentBytes, digest: `sha256:${hash.digest('hex')}` }
  } catch (error) {
    await rm(file, { force: true })
    throw refusal(error)
  }
}

async function* hashed(source: AsyncIterable<Buffer>, hash: ReturnType<typeof createHash>) {
  for await (const chunk of source) {
    hash.update(chunk)
    yield chunk
  }
}

function checkKind(head: Buffer, contentType: string): BodyKind {
  if (head.length === 0) throw new AppError('invalid-request', 'the upload is empty')
  const kind = sniffKind(head)
  if (kind === null) throw unsupported('it is none of these by its first bytes')
  const fits = fitsContentType(kind, contentType)
  const type = contentType.slice(0, 80)
  if (fits === null) throw unsupported(`it is said to be ${type}`)
  if (!fits) throw unsupported(`it is said to be ${type} and is ${kind}`)
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
  feeding.catch(() => {}) // told by reading on
  const plain = metered(gunzip, (sum) => checkRatio(sum, sentBytes(), limits))
  const { head, all } = await peek(plain, HEAD_BYTES)
  const kind = checkKind(head, '')
  if (kind !== 'text' && kind !== 'tar') throw unsupported(`it is gzip around ${kind}`)
  await write(all, file, kind === 'tar' ? limits.archiveBytes : limits.plainBytes)
  await feeding
  return kind
}

/** Refuses what unpacks to far more than any log or result does. */
export function checkRatio(plainBytes: number, packedBytes: number, limits: BodyLimits): void {
  if (plainBytes <= RATIO_FREE_BYTES || plainBytes <= packedBytes * limits.ratio) return
  const message = `the upload unpacks to more than ${limits.ratio} times its size, which no result does`
  throw new AppError('too-large', message)
}

async function write(
  source: AsyncIterable<Uint8Array>,
  file: string,
  mostBytes: number,
): Promise<void> {
  const checked = metered(source, (sum) => {
    if (sum > mostBytes) throw tooLarge('the upload unpacks to more than', mostBytes)
  })
  await pipeline(
    Readable.from(checked, { objectMode: false }),
    createWriteStream(file, { mode: 0o600 }),
  )
}

export function tooLarge(what: string, bytes: number): AppError {
  return new AppError('too-large', `${what} ${sayMegabytes(bytes)}: split it into smaller uploads`)
}

function unsupported(why: string): AppError {
  const message = `only JSON, JSON Lines, zip and tar, gzip or not, can be read here: ${why}`
  return new AppError('unsupported-type', message)
}

function refusal(error: unknown): unknown {
  const { code } = error as NodeJS.ErrnoException
  if (code?.startsWith('Z_')) {
    const message = 'the gzip data is damaged or was cut off: pack it again and send it again'
    return new AppError('invalid-request', message, { cause: error })
  }
  if (code === 'ECONNRESET' || code === 'ERR_STREAM_PREMATURE_CLOSE') {
    return new AppError('invalid-request', 'the upload was cut off: nothing was stored', {
      cause: error,
    })
  }
  return databaseError(error) // a full disk has a sentence there
}
