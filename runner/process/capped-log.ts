import { createHash, type Hash } from 'node:crypto'
import { closeSync, fsyncSync, openSync, writeSync } from 'node:fs'
import type { Digest } from '#lib/domain/digest.ts'

const HIDDEN = Buffer.from('[hidden]')

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
  #secret: Buffer | null = null
  #held: Buffer = Buffer.alloc(0)

  constructor(path: string, limitBytes: number) {
    this.path = path
    this.#limit = limitBytes
    this.#descriptor = openSync(path, 'wx', 0o644)
  }

  /** From here on this text is replaced wherever it stands, also when it comes in parts. */
  hide(secret: string): void {
    this.#secret = secret === '' ? null : Buffer.from(secret)
  }

  /** Appends; past the limit bytes are only counted. Writing after `close` is a no-op, so late output does no harm. */
  write(chunk: Uint8Array | string): void {
    if (this.#descriptor === null) return
    this.#keep(this.#withoutSecret(typeof chunk === 'string' ? Buffer.from(chunk) : chunk))
  }

  #keep(bytes: Uint8Array): void {
    const kept = bytes.subarray(0, Math.max(0, this.#limit - this.#size))
    if (kept.length > 0) this.#append(kept)
    this.#dropped += bytes.length - kept.length
  }

  /** Flushes to disk and answers with what the envelope says about this file. */
  close(): { digest: Digest; sizeBytes: number; droppedBytes: number } {
    if (this.#descriptor !== null) {
      this.#keep(this.#held)
      if (this.#dropped > 0)
        this.#append(Buffer.from(`\n[proofboard: ${this.#dropped} more bytes were dropped]\n`))
      fsyncSync(this.#descriptor)
      closeSync(this.#descriptor)
      this.#descriptor = null
    }
    const digest: Digest = `sha256:${this.#hash.copy().digest('hex')}`
    return { digest, sizeBytes: this.#size, droppedBytes: this.#dropped }
  }

  /** All but what may be the beginning of the secret: that waits for what comes next. */
  #withoutSecret(chunk: Uint8Array): Uint8Array {
    const secret = this.#secret
    if (secret === null) return chunk
    const parts: Buffer[] = []
    let rest = Buffer.concat([this.#held, chunk])
    for (let at = rest.indexOf(secret); at >= 0; at = rest.indexOf(secret)) {
      parts.push(rest.subarray(0, at), HIDDEN)
      rest = rest.subarray(at + secret.length)
    }
    let held = Math.min(secret.length - 1, rest.length)
    while (held > 0 && !rest.subarray(rest.length - held).equals(secret.subarray(0, held))) held--
    this.#held = Buffer.from(rest.subarray(rest.length - held))
    return Buffer.concat([...parts, rest.subarray(0, rest.length - held)])
  }

  #append(bytes: Uint8Array): void {
    for (let offset = 0; offset < bytes.length; ) {
      offset += writeSync(this.#descriptor as number, bytes, offset)
    }
    this.#hash.update(bytes)
    this.#size += bytes.length
  }
}
