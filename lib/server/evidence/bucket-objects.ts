import { createHash, randomBytes } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { mkdir, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Digest } from '../../domain/digest/index.ts'
import { unescapeMarkup } from '../../domain/text/index.ts'
import { AppError } from '../../errors.ts'
import type { ByteReader, MeasuredFile } from './byte-reader.ts'
import { hexOf } from './disk-store.ts'
import { damaged, type EvidenceRef, type StoredObject } from './evidence-store.ts'
import { readWholeBody, type S3Body, type S3Client, type S3Response } from './s3-client.ts'

/** Older objects are written again, so that a sweep does not remove one that is about to be referenced. */
const FRESH_MS = 6 * 60 * 60_000
const TRIES = 3
const MAX_KNOWN = 100_000

/**
 * Objects of a bucket, each under its digest: `sha256/ab/abcd…`. Writing throws when the bucket belongs to another
 * board.
 */
export class BucketObjects {
  readonly #client: S3Client
  readonly #ensureOwned: () => Promise<void>
  /** Digests of objects known to exist. */
  readonly #known = new Set<Digest>()

  constructor(client: S3Client, ensureOwned: () => Promise<void>) {
    this.#client = client
    this.#ensureOwned = ensureOwned
  }

  get name(): string {
    return this.#client.name
  }

  async has(digest: Digest): Promise<boolean> {
    if (this.#known.has(digest)) return true
    const { status, body } = await this.#client.send({ method: 'HEAD', key: keyOf(digest) })
    body.destroy()
    if (status !== 200) return false
    if (this.#known.size >= MAX_KNOWN) this.#known.clear()
    this.#known.add(digest)
    return true
  }

  /** Opens an object for reading in ranges, without a local copy; null = there is none. */
  open(ref: EvidenceRef): Promise<BucketReader | null> {
    return BucketReader.open(this.#client, keyOf(ref.digest), ref)
  }

  /** Yields every object named by a digest. */
  async *list(): AsyncGenerator<StoredObject> {
    let token: string | null = null
    do {
      const query = { 'list-type': '2', prefix: this.#client.keyOf(`${FOLDER}/`) }
      const request = token === null ? query : { ...query, 'continuation-token': token }
      const text = await this.#text({ method: 'GET', key: '', query: request })
      for (const [, entry = ''] of text.matchAll(/<Contents>([\s\S]*?)<\/Contents>/g)) {
        const object = readEntry(entry)
        if (object) yield object
      }
      const isCut = field(text, 'IsTruncated') === 'true'
      token = isCut ? unescapeMarkup(field(text, 'NextContinuationToken')) : null
    } while (token)
  }

  /** Removes an object unless it was written again meanwhile, because a result is about to reference it. */
  async removeOld({ digest, modifiedAt }: StoredObject): Promise<void> {
    if (digest) await this.deleteUnchanged(digest, new Date(modifiedAt.getTime() + 1000))
  }

  /** Deletes an object that was written before then, but no newer version. */
  async deleteUnchanged(digest: Digest, before: Date): Promise<void> {
    const { status, headers, body } = await this.#client.send({
      method: 'HEAD',
      key: keyOf(digest),
    })
    body.destroy()
    const writtenAt = Date.parse(headers['last-modified'] ?? '')
    if (status === 200 && writtenAt < before.getTime()) await this.#delete(digest)
  }

  async probe(): Promise<void> {
    await this.#ensureOwned()
    const key = `probe/${randomBytes(8).toString('hex')}`
    const bytes = randomBytes(32)
    const hex = createHash('sha256').update(bytes).digest('hex')
    await this.#done({ method: 'PUT', key, body: { hex, sizeBytes: bytes.length, bytes } })
    const { body } = await this.#client.send({ method: 'GET', key })
    const parts: Buffer[] = []
    for await (const part of body) parts.push(part)
    if (!Buffer.concat(parts).equals(bytes)) throw this.#failed('it gives other bytes back')
    await this.#done({ method: 'DELETE', key })
  }

  async #delete(digest: Digest): Promise<void> {
    await this.#ensureOwned()
    this.#known.delete(digest)
    await this.#done({ method: 'DELETE', key: keyOf(digest) })
  }

  async store(body: S3Body): Promise<void> {
    await this.#ensureOwned()
    const key = keyOf(`sha256:${body.hex}`)
    const known = await this.#client.send({ method: 'HEAD', key })
    known.body.destroy()
    if (known.status === 200 && isFresh(known, body.sizeBytes)) return
    await this.#done({ method: 'PUT', key, body })
  }

  /**
   * Reads a whole object, into a new file or nowhere; resumes interrupted reads. Throws an AppError when the store
   * fails, and EEXIST when the file exists, which is not changed.
   */
  async receive(
    digest: Digest,
    to: string | null,
    options?: { isPublic?: boolean },
  ): Promise<MeasuredFile | null> {
    let problem = ''
    for (let tried = 0; tried < TRIES; tried++) {
      const response = await this.#client.send({ method: 'GET', key: keyOf(digest) })
      if (response.status !== 200) response.body.destroy()
      if (response.status === 404) return null
      if (response.status !== 200) throw this.#failed(`it answers ${response.status}`)
      try {
        return await readWhole(response, to, options)
      } catch (error) {
        await removePart(to, error)
        problem = (error as Error).message
      }
    }
    throw this.#failed(problem)
  }

  async #done(request: Parameters<S3Client['send']>[0]): Promise<void> {
    const { status, body } = await this.#client.send(request)
    const text = await readWholeBody(body)
    const isGone = request.method === 'DELETE' && status === 404
    if (status >= 300 && !isGone) throw this.#failed(`it answers ${status} ${field(text, 'Code')}`)
  }

  async #text(request: Parameters<S3Client['send']>[0]): Promise<string> {
    const { status, body } = await this.#client.send(request)
    const text = await readWholeBody(body)
    if (status !== 200) throw this.#failed(`it answers ${status} ${field(text, 'Code')}`)
    return text
  }

  #failed(why: string): AppError {
    return new AppError('evidence-unavailable', `the evidence store ${this.name} failed: ${why}`)
  }
}

const FOLDER = 'sha256'
const NAME = /(^|\/)sha256\/[0-9a-f]{2}\/([0-9a-f]{64})$/

const keyOf = (digest: Digest) => `${FOLDER}/${hexOf(digest).slice(0, 2)}/${hexOf(digest)}`

function field(text: string, name: string): string {
  return new RegExp(`<${name}>([^<]*)</${name}>`).exec(text)?.[1] ?? ''
}

function readEntry(entry: string): StoredObject | null {
  const name = field(entry, 'Key')
  const hex = NAME.exec(name)?.[2]
  const modifiedAt = new Date(field(entry, 'LastModified'))
  if (hex === undefined || Number.isNaN(modifiedAt.getTime())) return null
  return { name, digest: `sha256:${hex}`, sizeBytes: Number(field(entry, 'Size')), modifiedAt }
}

function isFresh({ headers }: S3Response, sizeBytes: number): boolean {
  const writtenAt = Date.parse(headers['last-modified'] ?? '')
  return Number(headers['content-length']) === sizeBytes && Date.now() - writtenAt < FRESH_MS
}

async function readWhole(
  { body, headers }: S3Response,
  to: string | null,
  { isPublic = false } = {},
): Promise<MeasuredFile> {
  const hash = createHash('sha256')
  let bytes = 0
  const counter = new Transform({
    transform(part: Buffer, _, done) {
      hash.update(part)
      bytes += part.length
      done(null, to === null ? undefined : part)
    },
  })
  if (to === null) await pipeline(body, counter.resume())
  else await pipeline(body, counter, await openNew(to, isPublic))
  if (headers['content-length'] !== undefined && Number(headers['content-length']) !== bytes)
    throw new Error('an object broke off')
  return { digest: `sha256:${hash.digest('hex')}`, bytes }
}

/** Removes a partly written file, and rethrows. An existing file is not removed. */
async function removePart(to: string | null, error: unknown): Promise<void> {
  if ((error as NodeJS.ErrnoException).code === 'EEXIST') throw error
  if (to !== null) await rm(to, { force: true })
}

async function openNew(to: string, isPublic: boolean) {
  await mkdir(dirname(to), { recursive: true, mode: isPublic ? 0o777 : 0o700 })
  return createWriteStream(to, { flags: 'wx', mode: isPublic ? 0o666 : 0o600, flush: true })
}

/** Minimum range of a request: a reader mostly continues at its last position. */
const BLOCK_BYTES = 1 << 20

/** A large object, read in ranges. Its size is checked when it is opened, its digest when all of it is read. */
class BucketReader implements ByteReader {
  readonly sizeBytes: number
  readonly version: string
  readonly #client: S3Client
  readonly #key: string
  readonly #etag: string
  readonly #ref: EvidenceRef
  #block: { start: number; bytes: Buffer } = { start: 0, bytes: Buffer.alloc(0) }

  private constructor(client: S3Client, key: string, { ref, etag }: Opened) {
    this.#client = client
    this.#key = key
    this.#ref = ref
    this.#etag = etag
    this.sizeBytes = ref.sizeBytes
    this.version = ref.digest.slice('sha256:'.length)
  }

  /** Null = the object does not exist. */
  static async open(client: S3Client, key: string, ref: EvidenceRef): Promise<BucketReader | null> {
    const { status, headers, body } = await client.send({ method: 'HEAD', key })
    body.destroy()
    if (status === 404) return null
    if (Number(headers['content-length']) !== ref.sizeBytes) throw damaged(ref.place)
    return new BucketReader(client, key, { ref, etag: String(headers.etag) })
  }

  async read(buffer: Buffer, offset: number): Promise<Buffer> {
    const end = Math.min(offset + buffer.length, this.sizeBytes)
    if (offset >= end) return buffer.subarray(0, 0)
    const { start, bytes } = this.#block
    const isHere = offset >= start && end <= start + bytes.length
    if (!isHere) this.#block = { start: offset, bytes: await this.#fetch(offset, end) }
    const from = offset - this.#block.start
    const filled = this.#block.bytes.copy(buffer, 0, from, from + end - offset)
    return buffer.subarray(0, filled)
  }

  async close(): Promise<void> {
    this.#block = { start: 0, bytes: Buffer.alloc(0) }
  }

  async #fetch(offset: number, end: number): Promise<Buffer> {
    const last = Math.min(Math.max(end, offset + BLOCK_BYTES), this.sizeBytes) - 1
    const headers = { range: `bytes=${offset}-${last}`, 'if-match': this.#etag }
    const { status, body } = await this.#client.send({ method: 'GET', key: this.#key, headers })
    if (status !== 206) {
      body.destroy()
      if (status === 412 || status === 416) throw damaged(this.#ref.place)
      const message = `${this.#ref.place} cannot be read from ${this.#client.name}: it answers ${status}`
      throw new AppError('evidence-unavailable', message)
    }
    const parts: Buffer[] = []
    for await (const part of body) parts.push(part)
    return Buffer.concat(parts)
  }
}

type Opened = { ref: EvidenceRef; etag: string }
