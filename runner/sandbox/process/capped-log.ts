import { createHash, type Hash } from 'node:crypto'
import { closeSync, fsyncSync, openSync, writeSync } from 'node:fs'
import type { Digest } from '#lib/domain/record/index.ts'
import { countOf } from '#lib/domain/record/index.ts'
import { type FindSecrets, secretFinder } from '../../redact/find-secrets.ts'
import { RedactingStream } from '../../redact/redact.ts'

/** One character a byte, so that any bytes come out as they went in. */
const RAW = 'latin1'

/**
 * A log file that takes bytes as they come, blots out secrets and stops at a limit: a subject that floods its output
 * fills neither disk nor memory. All other bytes are stored raw, broken UTF-8 included; what was dropped is counted.
 */
export class CappedLog {
  readonly path: string
  readonly #limit: number
  readonly #hash: Hash = createHash('sha256')
  #descriptor: number | null
  #size = 0
  #dropped = 0
  readonly #redacting: RedactingStream

  /** `find` also knows the exact secrets of this run; by default only what secrets look like. */
  constructor(path: string, limitBytes: number, find: FindSecrets = secretFinder([])) {
    this.#redacting = new RedactingStream(find)
    this.path = path
    this.#limit = limitBytes
    this.#descriptor = openSync(path, 'wx', 0o644)
  }

  /** Appends; past the limit bytes are only counted. Writing after `close` is a no-op, so late output does no harm. */
  write(chunk: Uint8Array | string): void {
    if (this.#descriptor === null) return
    const bytes = typeof chunk === 'string' ? Buffer.from(chunk) : chunk
    // What is dropped anyway is not searched: a flood costs nothing but counting.
    if (this.#size >= this.#limit) this.#dropped += bytes.length
    else this.#keep(this.#redacting.push(Buffer.from(bytes).toString(RAW)))
  }

  #keep(text: string): void {
    const bytes = Buffer.from(text, RAW)
    const head = bytes.subarray(0, Math.max(0, this.#limit - this.#size))
    if (head.length > 0) this.#append(head)
    this.#dropped += bytes.length - head.length
  }

  /** Writes out a last line without an end, once no more of it can come. */
  flush(): void {
    if (this.#descriptor !== null) this.#keep(this.#redacting.end())
  }

  /** Flushes to disk and answers with what the envelope says about this file. */
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
