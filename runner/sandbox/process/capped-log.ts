import { createHash, type Hash } from 'node:crypto'
import { closeSync, fsyncSync, openSync, writeSync } from 'node:fs'
import type { Digest } from '#lib/domain/digest/index.ts'
import { countOf } from '#lib/domain/text/index.ts'
import { type FindSecrets, secretFinder } from '../../redact/find-secrets.ts'
import { RedactingStream } from '../../redact/redact.ts'

/** One character per byte, so that arbitrary bytes are preserved. */
const RAW = 'latin1'

/**
 * A log file that redacts secrets and stops at a size limit, so that a subject's output fills neither disk nor memory.
 * Other bytes are stored unchanged, including broken UTF-8; dropped bytes are counted.
 */
export class CappedLog {
  readonly path: string
  readonly #limit: number
  readonly #hash: Hash = createHash('sha256')
  #descriptor: number | null
  #size = 0
  #dropped = 0
  readonly #redacting: RedactingStream

  /** `find` also knows the secrets of this run; by default, secrets are recognised by their format only. */
  constructor(path: string, limitBytes: number, find: FindSecrets = secretFinder([])) {
    this.#redacting = new RedactingStream(find)
    this.path = path
    this.#limit = limitBytes
    this.#descriptor = openSync(path, 'wx', 0o644)
  }

  /** Appends; past the limit, bytes are only counted. Does nothing after `close`, so late output is harmless. */
  write(chunk: Uint8Array | string): void {
    if (this.#descriptor === null) return
    const bytes = typeof chunk === 'string' ? Buffer.from(chunk) : chunk
    // Bytes that are dropped are not searched for secrets.
    if (this.#size >= this.#limit) this.#dropped += bytes.length
    else this.#keep(this.#redacting.push(Buffer.from(bytes).toString(RAW)))
  }

  #keep(text: string): void {
    const bytes = Buffer.from(text, RAW)
    const head = bytes.subarray(0, Math.max(0, this.#limit - this.#size))
    if (head.length > 0) this.#append(head)
    this.#dropped += bytes.length - head.length
  }

  /** Writes a last line without a line end, once no more output can come. */
  flush(): void {
    if (this.#descriptor !== null) this.#keep(this.#redacting.end())
  }

  /** Flushes to disk and returns the envelope's description of this file. */
  close(): { digest: Digest; sizeBytes: number; droppedBytes: number } {
    if (this.#descriptor !== null) {
      this.flush()
      if (this.#dropped > 0)
        this.#append(
          Buffer.from(
            `\n[proofboard: ${countOf(this.#dropped, 'more byte was', 'more bytes were')} dropped]\n`,
          ),
        )
      fsyncSync(this.#descriptor)
      closeSync(this.#descriptor)
      this.#descriptor = null
    }
    const digest: Digest = `sha256:${this.#hash.copy().digest('hex')}`
    return { digest, sizeBytes: this.#size, droppedBytes: this.#dropped }
  }

  #append(bytes: Uint8Array): void {
    for (let offset = 0; offset < bytes.length; ) {
      offset += writeSync(this.#descriptor as number, bytes, offset)
    }
    this.#hash.update(bytes)
    this.#size += bytes.length
  }
}
