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

export class LineReader {
  /** `onLine` gets every line without its line break, and its number, counted from 1. */
  constructor(onLine: (line: string, lineNumber: number) => void, options?: LineReaderOptions) {
    throw new Error('Remove this line and implement the function')
  }

  push(chunk: string | Uint8Array): void {
    throw new Error('Remove this line and implement the function')
  }

  flush(): void {
    throw new Error('Remove this line and implement the function')
  }
}
