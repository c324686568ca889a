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

/** Where the reader stands in its text, after the characters that have arrived so far. */
interface Position {
  readonly lineNumber: number
  /** What has arrived of this line. */
  readonly line: string
  readonly before: 'nothing' | 'carriage return' | 'something else'
}

const START: Position = { lineNumber: 1, line: '', before: 'nothing' }

export class LineReader {
  readonly #onLine: (line: string, lineNumber: number) => void
  readonly #maxLineLength: number
  /** Byte order marks are dealt with here, since they can also come in strings. */
  readonly #decoder = new TextDecoder('utf-8', { ignoreBOM: true })
  #position = START
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
    this.#checkUsable()
    if (typeof chunk !== 'string') this.#read(this.#decoder.decode(chunk, { stream: true }))
    else if (chunk !== '') this.#read(this.#decoder.decode() + chunk)
  }

  flush(): void {
    this.#checkUsable()
    this.#read(this.#decoder.decode())
    const { line, lineNumber } = this.#position
    this.#position = START
    if (line !== '') this.#onLine(line, lineNumber)
  }

  #checkUsable(): void {
    if (this.#failure !== undefined) throw this.#failure
  }

  #read(arrived: string): void {
    if (arrived === '') return
    const [first, ...rest] = withoutContinuation(arrived, this.#position.before).split(/\r\n|\r|\n/)
    this.#position = {
      ...this.#position,
      before: arrived.endsWith('\r') ? 'carriage return' : 'something else',
    }
    this.#append(first)
    rest.forEach((text) => {
      this.#endLine()
      this.#append(text)
    })
  }

  #append(text: string): void {
    const { line, lineNumber } = this.#position
    if (line.length + text.length > this.#maxLineLength) {
      this.#failure = new LineTooLongError(lineNumber)
      throw this.#failure
    }
    this.#position = { ...this.#position, line: line + text }
  }

  #endLine(): void {
    const { line, lineNumber } = this.#position
    this.#position = { ...this.#position, line: '', lineNumber: lineNumber + 1 }
    this.#onLine(line, lineNumber)
  }
}

/** Takes away what belongs to the text before, or to no line at all. */
function withoutContinuation(text: string, before: Position['before']): string {
  const continuations = { nothing: '\uFEFF', 'carriage return': '\n', 'something else': undefined }
  const continuation = continuations[before]
  return continuation !== undefined && text.startsWith(continuation) ? text.slice(1) : text
}
