import { AppError } from '../../errors.ts'
import type { ByteReader } from './byte-reader.ts'
import { damaged, type EvidenceRef } from './evidence-store.ts'
import type { S3Client } from './s3-client.ts'

/** Minimum range of a request: a reader mostly continues at its last position. */
const BLOCK_BYTES = 1 << 20

/** A large object, read in ranges. Its size is checked when it is opened, its digest when all of it is read. */
export class BucketReader implements ByteReader {
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
