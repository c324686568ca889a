export interface LineReaderOptions {
  /** The longest line allowed, in UTF-16 code units without its line break. Default: no limit. */
  maxLineLength?: number
}

export class LineTooLongError extends Error {
  readonly lineNumber: number

  constructor(lineNumber: number) {
    super(`Line ${lineNumber} is too long`)
    this.name = 'LineTooLongError'
    this.lineNumber = lineNumber
  }
}

const BYTE_ORDER_MARK = '\uFEFF'

export class LineReader {
  readonly #onLine: (line: string, lineNumber: number) => void
  readonly #maxLineLength: number
  /** Leaves the byte order mark to us, because it may come in a string as well. */
  readonly #decoder = new TextDecoder('utf-8', { ignoreBOM: true })
  #failure: LineTooLongError | undefined
  #atStart = true
  /** Whether the last character was a `\r`, so that a `\n` would belong to it. */
  #afterReturn = false
  #lineNumber = 1
  #line = ''

  /** `onLine` gets every line without its line break, and its number, counted from 1. */
  constructor(
    onLine: (line: string, lineNumber: number) => void,
    options: LineReaderOptions = {},
  ) {
    this.#onLine = onLine
    this.#maxLineLength = options.maxLineLength ?? Infinity
  }

  push(chunk: string | Uint8Array): void {
    if (this.#failure) throw this.#failure
    if (chunk.length === 0) return
    if (typeof chunk === 'string') this.#read(this.#decoder.decode() + chunk)
    else this.#read(this.#decoder.decode(chunk, { stream: true }))
  }

  flush(): void {
    if (this.#failure) throw this.#failure
    this.#read(this.#decoder.decode())
    const line = this.#line
    const lineNumber = this.#lineNumber
    this.#line = ''
    this.#lineNumber = 1
    this.#atStart = true
    this.#afterReturn = false
    if (line !== '') this.#handOver(line, lineNumber)
  }

  #read(text: string): void {
    let position = 0
    if (text === '') return
    if (this.#atStart) {
      this.#atStart = false
      if (text.startsWith(BYTE_ORDER_MARK)) position = 1
    }
    if (position < text.length) {
      if (this.#afterReturn && text[position] === '\n') position++
      this.#afterReturn = text.endsWith('\r')
    }

    const lineBreak = /\r\n?|\n/g
    lineBreak.lastIndex = position
    for (let match = lineBreak.exec(text); match !== null; match = lineBreak.exec(text)) {
      this.#append(text.slice(position, match.index))
      position = lineBreak.lastIndex
      const line = this.#line
      this.#line = ''
      this.#handOver(line, this.#lineNumber++)
    }
    this.#append(text.slice(position))
  }

  #append(text: string): void {
    if (this.#line.length + text.length > this.#maxLineLength) {
      this.#line = ''
      this.#failure = new LineTooLongError(this.#lineNumber)
      throw this.#failure
    }
    this.#line += text
  }

  #handOver(line: string, lineNumber: number): void {
    const onLine = this.#onLine
    onLine(line, lineNumber)
  }
}
