// Wrong: a row with a single empty field is dropped even if the field was written as a pair of
// quotes.
export type CsvErrorCode =
  | 'unexpected-quote'
  | 'text-after-quote'
  | 'unterminated-quote'
  | 'duplicate-column'
  | 'field-count'

interface Position {
  line: number
  column: number
}

export class CsvError extends Error {
  readonly code: CsvErrorCode
  readonly line: number
  readonly column: number

  constructor(code: CsvErrorCode, problem: string, { line, column }: Position) {
    super(`${problem} (line ${line}, column ${column})`)
    this.code = code
    this.line = line
    this.column = column
  }
}

export interface CsvOptions {
  delimiter?: string
  header?: boolean
}

interface Field {
  value: string
  start: Position
}

type Row = [Field, ...Field[]]

export function parseCsv(text: string, options?: CsvOptions & { header?: false }): string[][]
export function parseCsv(
  text: string,
  options: CsvOptions & { header: true },
): Record<string, string>[]
export function parseCsv(
  text: string,
  { delimiter = ',', header = false }: CsvOptions = {},
): string[][] | Record<string, string>[] {
  if (delimiter.length !== 1 || '"\r\n'.includes(delimiter)) {
    throw new RangeError('the delimiter must be one character that is not a quote or a line break')
  }
  const rows = new RowReader(text, delimiter).rows()
  return header ? toRecords(rows) : Array.from(rows, valuesOf)
}

function toRecords(rows: Iterable<Row>): Record<string, string>[] {
  let names: string[] | undefined
  const records: Record<string, string>[] = []
  for (const row of rows) {
    if (!names) {
      assertDistinct(row)
      names = valuesOf(row)
    } else if (row.length !== names.length) {
      const problem = `expected ${names.length} fields but found ${row.length}`
      throw new CsvError('field-count', problem, row[0].start)
    } else {
      // Object.fromEntries defines own properties and never runs the setter of __proto__.
      records.push(Object.fromEntries(names.map((name, index) => [name, row[index].value])))
    }
  }
  return records
}

function assertDistinct(header: Row): void {
  const seen = new Set<string>()
  for (const { value, start } of header) {
    if (seen.has(value)) throw new CsvError('duplicate-column', `repeated column "${value}"`, start)
    seen.add(value)
  }
}

function valuesOf(row: Row): string[] {
  return row.map((field) => field.value)
}

class RowReader {
  readonly #text: string
  readonly #delimiter: string
  #offset = 0
  #line = 1
  #lineStart = 0

  constructor(text: string, delimiter: string) {
    this.#text = text.startsWith('\uFEFF') ? text.slice(1) : text
    this.#delimiter = delimiter
  }

  /** Rows are read one at a time, so that mistakes are found in reading order. */
  *rows(): Generator<Row> {
    while (this.#offset < this.#text.length) {
      if (this.#skipLineBreak()) continue
      const row = this.#readRow()
      if (row.length > 1 || row[0].value !== '') yield row
    }
  }

  #readRow(): Row {
    const row: Row = [this.#readField()]
    while (this.#peek() === this.#delimiter) {
      this.#offset++
      row.push(this.#readField())
    }
    this.#skipLineBreak()
    return row
  }

  #readField(): Field {
    const start = this.#position()
    const value = this.#peek() === '"' ? this.#readQuoted(start) : this.#readUnquoted()
    return { value, start }
  }

  #readUnquoted(): string {
    const start = this.#offset
    while (!this.#atFieldEnd()) {
      if (this.#peek() === '"') {
        const problem = 'a quote inside an unquoted field'
        throw new CsvError('unexpected-quote', problem, this.#position())
      }
      this.#offset++
    }
    return this.#text.slice(start, this.#offset)
  }

  #readQuoted(start: Position): string {
    const parts: string[] = []
    do {
      // Stands on the opening quote or on the second one of a doubled quote.
      parts.push(this.#readUpToQuote(start))
    } while (this.#peek() === '"')
    if (!this.#atFieldEnd()) {
      throw new CsvError('text-after-quote', 'text after a quoted field', this.#position())
    }
    return parts.join('"')
  }

  #readUpToQuote(opening: Position): string {
    const start = ++this.#offset
    while (this.#peek() !== '"') {
      if (this.#offset >= this.#text.length) {
        throw new CsvError('unterminated-quote', 'a quoted field is never closed', opening)
      }
      if (!this.#skipLineBreak()) this.#offset++
    }
    return this.#text.slice(start, this.#offset++)
  }

  #atFieldEnd(): boolean {
    const next = this.#peek()
    return next === '' || next === this.#delimiter || next === '\r' || next === '\n'
  }

  #skipLineBreak(): boolean {
    const next = this.#peek()
    if (next !== '\r' && next !== '\n') return false
    this.#offset += this.#text.startsWith('\r\n', this.#offset) ? 2 : 1
    this.#line++
    this.#lineStart = this.#offset
    return true
  }

  /** The next character, or an empty string at the end of the text. */
  #peek(): string {
    return this.#text.charAt(this.#offset)
  }

  #position(): Position {
    return { line: this.#line, column: this.#offset - this.#lineStart + 1 }
  }
}
