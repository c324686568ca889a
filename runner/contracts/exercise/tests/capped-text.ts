/** Text of a stream up to a limit; the rest is counted and dropped. */
export class CappedText {
  readonly #limit: number
  readonly #chunks: Buffer[] = []
  #size = 0
  #dropped = 0

  constructor(limitBytes: number) {
    this.#limit = limitBytes
  }

  add(chunk: Buffer): void {
    const kept = chunk.subarray(0, Math.max(0, this.#limit - this.#size))
    if (kept.length > 0) this.#chunks.push(kept)
    this.#size += kept.length
    this.#dropped += chunk.length - kept.length
  }

  text(): string {
    const text = Buffer.concat(this.#chunks).toString('utf8')
    return this.#dropped > 0 ? `${text}\n[${this.#dropped} more bytes were dropped]\n` : text
  }
}
