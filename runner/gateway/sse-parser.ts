import { createParser } from 'eventsource-parser'

export type SseEvent = { name: string | null; data: string }

/** A blank line: two consecutive line ends, where CRLF is one. */
const BLANK_LINE = /(?:\r\n|\n|\r(?!\n)){2}/
/** Maximum length of a blank line: skipped text may end with the start of one. */
const BLANK_LINE_CHARS = 4

/**
 * Parses server-sent events from bytes cut at any position. Buffers at most `limitBytes` characters of one event;
 * larger events are dropped and counted.
 */
export class SseParser {
  readonly #decoder = new TextDecoder()
  readonly #parser
  /** End of the skipped text inside an event that is too large; null = not inside one. */
  #skipped: string | null = null
  /** Number of events larger than the limit. */
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

  /** Ends the stream; an event without its closing blank line counts, as some providers omit it. */
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

  /** Searches the end of an event that is too large, and continues after it. */
  #skip(text: string): void {
    const end = BLANK_LINE.exec(text)
    this.#skipped = end === null ? text.slice(-BLANK_LINE_CHARS + 1) : null
    if (end !== null) this.#read(text.slice(end.index + end[0].length))
  }
}
