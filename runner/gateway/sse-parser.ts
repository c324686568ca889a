import { createParser } from 'eventsource-parser'

export type SseEvent = { name: string | null; data: string }

/** A blank line: two line ends in a row, of which CRLF is one. */
const BLANK_LINE = /(?:\r\n|\n|\r(?!\n)){2}/
/** As long as a blank line can be: what was skipped last may hold the beginning of one. */
const BLANK_LINE_CHARS = 4

/**
 * Server-sent events from bytes cut anywhere. Buffers at most `limitBytes` characters of one event; an event of more bytes is
 * left out and counted.
 */
export class SseParser {
  readonly #decoder = new TextDecoder()
  readonly #parser
  /** Inside an event that is too large: the end of what was left out of it; null = elsewhere. */
  #skipped: string | null = null
  /** Events that were larger than the limit. */
  oversized = 0

  constructor(limitBytes: number, onEvent: (event: SseEvent) => void) {
    this.#parser = createParser({
      maxBufferSize: limitBytes,
      onEvent: ({ event = null, data }) => {
        if (Buffer.byteLength(data) > limitBytes) this.oversized += 1
        else onEvent({ name: event, data })
      },
      onError: ({ type }) => {
        if (type === 'max-buffer-size-exceeded') this.#skipped = ''
      },
    })
  }

  push(chunk: Uint8Array): void {
    this.#feed(this.#decoder.decode(chunk, { stream: true }))
  }

  /** The stream is over: an event without its closing blank line counts, as some providers leave it out. */
  end(): void {
    this.#feed(`${this.#decoder.decode()}\n\n`)
  }

  #feed(text: string): void {
    if (this.#skipped === null) this.#read(text)
    else this.#skip(`${this.#skipped}${text}`)
  }

  #read(text: string): void {
    this.#parser.feed(text)
    if (this.#skipped === null) return
    this.oversized += 1
    this.#parser.reset()
    this.#skipped = text.slice(-BLANK_LINE_CHARS + 1)
  }

  /** Looks for the end of an event that is too large, and reads on behind it. */
  #skip(text: string): void {
    const end = BLANK_LINE.exec(text)
    this.#skipped = end === null ? text.slice(-BLANK_LINE_CHARS + 1) : null
    if (end !== null) this.#read(text.slice(end.index + end[0].length))
  }
}
