import { createHash, type Hash } from 'node:crypto'
import { closeSync, fsyncSync, openSync, writeSync } from 'node:fs'
import type { Digest } from '#lib/domain/digest.ts'

/**
 * A log file that takes bytes as they come and stops at a limit: a subject that floods its output fills neither disk
 * nor memory. Bytes are kept raw, broken UTF-8 included; what was dropped is counted.
 */
export class CappedLog {
  readonly path: string
  readonly #limit: number
  readonly #hash: Hash = createHash('sha256')
  #descriptor: number | null
  #size = 0
  #dropped = 0

  constructor(path: string, limitBytes: number) {
    this.path = path
    this.#limit = limitBytes
    this.#descriptor = openSync(path, 'wx', 0o644)
  }

  /** Appends; past the limit bytes are only counted. Writing after `close` is a no-op, so late output does no harm. */
  write(chunk: Uint8Array | string): void {
    if (this.#descriptor === null) return
    const bytes = typeof chunk === 'string' ? Buffer.from(chunk) : chunk
    const kept = bytes.subarray(0, Math.max(0, this.#limit - this.#size))
    if (kept.length > 0) this.#append(kept)
    this.#dropped += bytes.length - kept.length
  }

  /** Flushes to disk and answers with what the envelope says about this file. */
  close(): { digest: Digest; sizeBytes: number; droppedBytes: number } {
    if (this.#descriptor !== null) {
      if (this.#dropped > 0)
        this.#append(Buffer.from(`\n[proofboard: ${this.#dropped} more bytes were dropped]\n`))
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
