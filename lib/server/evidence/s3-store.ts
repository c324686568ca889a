import { createHash, randomBytes } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { mkdir, readdir, rm } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import { Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Digest, EvidenceFile } from '../../domain/record/index.ts'
import { AppError } from '../../errors.ts'
import { BucketReader } from './bucket-reader.ts'
import { type ByteReader, type Measured, measureBytes, openFile } from './byte-reader.ts'
import { type DiskStore, damaged, hexOf } from './disk-store.ts'
import {
  type CheckedOut,
  type EvidenceRef,
  type EvidenceStore,
  evidenceRef,
  type StoredObject,
} from './evidence-store.ts'
import type { ObjectCache } from './object-cache.ts'
import { readText, type S3Body, type S3Client, type S3Response } from './s3-client.ts'

/** Larger objects are read in ranges, without a copy on this machine. */
const CACHED_BYTES = 64 << 20
/** An object that was written longer ago is written again, so that a sweep finds none that is about to be named. */
const FRESH_MS = 6 * 60 * 60_000
const TRIES = 3

type Parts = {
  client: S3Client
  /** What this machine still has itself: the folders of its runs, a restored backup. */
  disk: DiskStore
  cache: ObjectCache
  /** Throws where the bucket belongs to another board. */
  ensureOwned: () => Promise<void>
}

/** Evidence as objects of a bucket, each under its digest: `sha256/ab/abcd…`. Files of this machine are read first. */
export class S3Store implements EvidenceStore {
  readonly kind = 's3'
  readonly #client: S3Client
  readonly #disk: DiskStore
  readonly #cache: ObjectCache
  readonly #ensureOwned: () => Promise<void>

  constructor({ client, disk, cache, ensureOwned }: Parts) {
    this.#client = client
    this.#disk = disk
    this.#cache = cache
    this.#ensureOwned = ensureOwned
  }

  get name(): string {
    return this.#client.name
  }

  async open(ref: EvidenceRef): Promise<ByteReader | null> {
    const local = await this.#disk.open(ref)
    if (local) return local
    if (ref.sizeBytes > CACHED_BYTES) return BucketReader.open(this.#client, keyOf(ref.digest), ref)
    return this.#cache.open(hexOf(ref.digest), async (file) => {
      const found = await this.#receive(ref.digest, file)
      if (found && found.digest !== ref.digest) throw damaged(ref.place)
      return found !== null
    })
  }

  async measure(ref: EvidenceRef): Promise<Measured | null> {
    return (await this.#disk.measure(ref)) ?? (await this.#receive(ref.digest, null))
  }

  async copy(ref: EvidenceRef, to: string, options?: { isPublic?: boolean }) {
    const local = await this.#disk.copy(ref, to, options)
    return local ?? (await this.#receive(ref.digest, to, options))
  }

  async sizes(): Promise<(ref: EvidenceRef) => Promise<number | null>> {
    const stored = new Map<string, number>()
    for await (const { digest, sizeBytes } of this.list()) if (digest) stored.set(digest, sizeBytes)
    const local = await this.#disk.sizes()
    return async (ref) => stored.get(ref.digest) ?? (await local(ref))
  }

  async put(ref: EvidenceRef, source: Uint8Array | string): Promise<void> {
    const hex = hexOf(ref.digest)
    if (typeof source !== 'string')
      return this.#store({ hex, sizeBytes: source.length, bytes: source })
    const file = await openFile(source)
    const measured = file && (await measureBytes(file))
    if (measured?.digest !== ref.digest) throw damaged(ref.place)
    await this.#store({ hex, sizeBytes: measured.bytes, file: source })
  }

  async settle(folder: string, directory: string): Promise<void> {
    const entries = await readdir(folder, { recursive: true, withFileTypes: true })
    for (const entry of entries) {
      if (!entry.isFile()) continue
      const path = join(entry.parentPath, entry.name)
      const file = await openFile(path)
      if (!file) continue
      const { digest, bytes } = await measureBytes(file)
      const place = `${directory}/${relative(folder, path)}`
      await this.put({ place, digest, sizeBytes: bytes }, path)
      await rm(path)
    }
  }

  async delete(refs: readonly EvidenceRef[], shared: ReadonlySet<Digest>): Promise<void> {
    await this.#disk.delete(refs)
    const digests = new Set(refs.map(({ digest }) => digest).filter((one) => !shared.has(one)))
    for (const digest of digests) await this.#deleteObject(digest)
  }

  async checkOut(directory: string, files: readonly EvidenceFile[]): Promise<CheckedOut> {
    const refs = files.flatMap((file) => {
      const ref = evidenceRef(directory, file)
      return ref ? [{ ref, path: file.path }] : []
    })
    const local = await this.#disk.sizes()
    const here = await Promise.all(refs.map(({ ref }) => local(ref)))
    if (here.every((size) => size !== null)) return this.#disk.checkOut(directory)
    const folder = await this.#cache.hold()
    const release = () => rm(folder, { recursive: true, force: true })
    try {
      for (const { ref, path } of refs) {
        const copied = await this.copy(ref, join(folder, path))
        if (copied && copied.digest !== ref.digest) await rm(join(folder, path))
      }
    } catch (error) {
      await release()
      throw error
    }
    return { folder, release }
  }

  async *list(): AsyncGenerator<StoredObject> {
    let token: string | null = null
    do {
      const query = { 'list-type': '2', prefix: this.#client.keyOf(`${FOLDER}/`) }
      const asked = token === null ? query : { ...query, 'continuation-token': token }
      const text = await this.#text({ method: 'GET', key: '', query: asked })
      for (const [, entry = ''] of text.matchAll(/<Contents>([\s\S]*?)<\/Contents>/g)) {
        const object = readEntry(entry)
        if (object) yield object
      }
      const isCut = field(text, 'IsTruncated') === 'true'
      token = isCut ? unescapeXml(field(text, 'NextContinuationToken')) : null
    } while (token)
  }

  async remove({ digest }: StoredObject): Promise<void> {
    if (digest) await this.#deleteObject(digest)
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

  async #deleteObject(digest: Digest): Promise<void> {
    await this.#ensureOwned()
    await this.#done({ method: 'DELETE', key: keyOf(digest) })
    await this.#cache.forget(hexOf(digest))
  }

  async #store(body: S3Body): Promise<void> {
    await this.#ensureOwned()
    const key = keyOf(`sha256:${body.hex}`)
    const known = await this.#client.send({ method: 'HEAD', key })
    known.body.destroy()
    if (known.status === 200 && isFresh(known, body.sizeBytes)) return
    await this.#done({ method: 'PUT', key, body })
  }

  /** Reads an object to its end, into a new file or nowhere; one that breaks off is read anew. */
  async #receive(
    digest: Digest,
    to: string | null,
    options?: { isPublic?: boolean },
  ): Promise<Measured | null> {
    let problem = ''
    for (let tried = 0; tried < TRIES; tried++) {
      const answer = await this.#client.send({ method: 'GET', key: keyOf(digest) })
      if (answer.status !== 200) answer.body.destroy()
      if (answer.status === 404) return null
      if (answer.status !== 200) throw this.#failed(`it answers ${answer.status}`)
      try {
        return await readWhole(answer, to, options)
      } catch (error) {
        if (to !== null) await rm(to, { force: true })
        problem = (error as Error).message
      }
    }
    throw this.#failed(problem)
  }

  async #done(asked: Parameters<S3Client['send']>[0]): Promise<void> {
    const { status, body } = await this.#client.send(asked)
    const said = await readText(body)
    const isGone = asked.method === 'DELETE' && status === 404
    if (status >= 300 && !isGone) throw this.#failed(`it answers ${status} ${field(said, 'Code')}`)
  }

  async #text(asked: Parameters<S3Client['send']>[0]): Promise<string> {
    const { status, body } = await this.#client.send(asked)
    const text = await readText(body)
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

function unescapeXml(text: string): string {
  return text.replaceAll('&quot;', '"').replaceAll('&lt;', '<').replaceAll('&amp;', '&')
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
): Promise<Measured> {
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

async function openNew(to: string, isPublic: boolean) {
  await mkdir(dirname(to), { recursive: true, mode: isPublic ? 0o777 : 0o700 })
  return createWriteStream(to, { flags: 'wx', mode: isPublic ? 0o666 : 0o600, flush: true })
}
