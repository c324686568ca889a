// Wrong: the limit is checked only when a line is complete.
export interface LineReaderOptions {
  /** The longest line allowed, in UTF-16 code units without its line break. Default: no limit. */
  maxLineLength?: number
}

export class LineTooLongError extends Error {
  readonly lineNumber: number

  constructor(lineNumber: number) {
    super(`Line ${lineNumber} is too long`)
    this.lineNumber = lineNumber
  }
}

const BYTE_ORDER_MARK = '\uFEFF'

export class LineReader {
  readonly #onLine: (line: string, lineNumber: number) => void
  readonly #maxLineLength: number
  readonly #decoder = new TextDecoder('utf-8', { ignoreBOM: true })
  #line = ''
  #lineNumber = 1
  #atStart = true
  #afterReturn = false
  #failure: LineTooLongError | undefined

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
    if (typeof chunk !== 'string') {
      this.#read(this.#decoder.decode(chunk, { stream: true }))
    } else if (chunk !== '') {
      // The decoder's last word on a character that cannot be completed any more.
      this.#read(this.#decoder.decode() + chunk)
    }
  }

  flush(): void {
    if (this.#failure) throw this.#failure
    this.#read(this.#decoder.decode())
    if (this.#line !== '') this.#endLine()
    this.#lineNumber = 1
    this.#atStart = true
    this.#afterReturn = false
  }

  #read(text: string): void {
    if (text === '') return
    let start = 0
    if (this.#atStart && text.startsWith(BYTE_ORDER_MARK)) start = BYTE_ORDER_MARK.length
    if (this.#afterReturn && text.startsWith('\n')) start = 1
    this.#atStart = false
    this.#afterReturn = text.endsWith('\r')

    const lineBreak = /\r\n|\r|\n/g
    lineBreak.lastIndex = start
    for (let found = lineBreak.exec(text); found; found = lineBreak.exec(text)) {
      this.#append(text.slice(start, found.index))
      this.#endLine()
      start = lineBreak.lastIndex
    }
    this.#append(text.slice(start))
  }

  #append(text: string): void {
    this.#line += text
  }

  #endLine(): void {
    if (this.#line.length > this.#maxLineLength) {
      this.#failure = new LineTooLongError(this.#lineNumber)
      throw this.#failure
    }
    const line = this.#line
    this.#line = ''
    this.#onLine(line, this.#lineNumber++)
  }
}
