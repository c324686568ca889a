export type SseEvent = { name: string | null; data: string }

const LF = 10
const CR = 13
const BYTE_ORDER_MARK = '\uFEFF'

/**
 * Server-sent events from bytes cut anywhere: split UTF-8, CR, LF and CRLF, comments. Holds at most `limitBytes` of one
 * event; a larger one is left out and counted. Lines become text only when whole, so no character is ever halved.
 */
export class SseParser {
  readonly #limit: number
  readonly #onEvent: (event: SseEvent) => void
  #pieces: Uint8Array[] = []
  #lineBytes = 0
  #eventBytes = 0
  #name: string | null = null
  #data: string[] = []
  #skipping = false
  #afterCr = false
  #atStart = true
  /** Events that were larger than the limit. */
  oversized = 0

  constructor(limitBytes: number, onEvent: (event: SseEvent) => void) {
    this.#limit = limitBytes
    this.#onEvent = onEvent
  }

  push(chunk: Uint8Array): void {
    let start = 0
    for (let index = 0; index < chunk.length; index++) {
      const byte = chunk[index]
      if (byte !== LF && byte !== CR) continue
      const isSecondHalf = byte === LF && index === start && this.#afterCr
      if (!isSecondHalf) this.#endLine(chunk.subarray(start, index))
      this.#afterCr = byte === CR
      start = index + 1
    }
    if (start < chunk.length) this.#hold(chunk.subarray(start))
  }

  /** The stream is over: an event without its closing blank line counts, as some providers leave it out. */
  end(): void {
    if (this.#lineBytes > 0) this.#endLine(new Uint8Array())
    this.#dispatch()
  }

  #hold(piece: Uint8Array): void {
    this.#take(piece.length)
    if (!this.#skipping) this.#pieces.push(piece)
  }

  #take(bytes: number): void {
    this.#afterCr = false
    this.#lineBytes += bytes
    if (!this.#skipping && this.#eventBytes + this.#lineBytes > this.#limit) this.#skip()
  }

  #skip(): void {
    this.#skipping = true
    this.#pieces = []
    this.#data = []
    this.oversized += 1
  }

  #endLine(last: Uint8Array): void {
    if (last.length > 0) this.#take(last.length)
    const bytes = this.#lineBytes
    this.#lineBytes = 0
    if (bytes === 0) this.#dispatch()
    else if (!this.#skipping) this.#readField(this.#lineWith(last), bytes)
    this.#atStart = false
    if (this.#pieces.length > 0) this.#pieces = []
  }

  #lineWith(last: Uint8Array): string {
    // Most lines are in one chunk: no copy is made of them.
    const whole =
      this.#pieces.length === 0
        ? Buffer.from(last.buffer, last.byteOffset, last.length)
        : Buffer.concat([...this.#pieces, last])
    const line = whole.toString('utf8')
    return this.#atStart ? withoutMark(line) : line
  }

  #readField(line: string, bytes: number): void {
    const colon = line.indexOf(':')
    if (colon === 0) return // a comment
    const field = colon < 0 ? line : line.slice(0, colon)
    const value = colon < 0 ? '' : line.slice(line[colon + 1] === ' ' ? colon + 2 : colon + 1)
    if (field === 'event') this.#name = value
    if (field !== 'data') return
    this.#data.push(value)
    this.#eventBytes += bytes
  }

  #dispatch(): void {
    const event = { name: this.#name, data: this.#data.join('\n') }
    const isWhole = !this.#skipping && this.#data.length > 0
    this.#name = null
    this.#data = []
    this.#eventBytes = 0
    this.#skipping = false
    if (isWhole) this.#onEvent(event)
  }
}

function withoutMark(line: string): string {
  return line.startsWith(BYTE_ORDER_MARK) ? line.slice(1) : line
}
