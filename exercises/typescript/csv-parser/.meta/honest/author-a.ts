export type CsvErrorCode =
  | 'unexpected-quote'
  | 'text-after-quote'
  | 'unterminated-quote'
  | 'duplicate-column'
  | 'field-count'

interface Position {
  readonly line: number
  readonly column: number
}

const DESCRIPTIONS: Record<CsvErrorCode, string> = {
  'unexpected-quote': 'Quote inside an unquoted field',
  'text-after-quote': 'Text after the closing quote of a field',
  'unterminated-quote': 'Quoted field without a closing quote',
  'duplicate-column': 'Column name appears twice',
  'field-count': 'Row does not have one field per column',
}

export class CsvError extends Error {
  readonly code: CsvErrorCode
  readonly line: number
  readonly column: number

  constructor(code: CsvErrorCode, { line, column }: Position) {
    super(`${DESCRIPTIONS[code]} (line ${line}, column ${column})`)
    this.name = 'CsvError'
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
  readonly value: string
  readonly position: Position
}

const QUOTE = '"'

/** Reads the rows one by one, so that errors show up in the order of the text. */
function* readRows(text: string, delimiter: string): Generator<Field[], void> {
  let index = text.startsWith('\uFEFF') ? 1 : 0
  let line = 1
  let lineStart = index

  const position = (): Position => ({ line, column: index - lineStart + 1 })
  const atLineBreak = (): boolean => text[index] === '\n' || text[index] === '\r'
  const skipLineBreak = (): void => {
    index += text.startsWith('\r\n', index) ? 2 : 1
    line++
    lineStart = index
  }

  const readQuoted = (): string => {
    const opening = position()
    index++
    let value = ''
    let start = index
    for (;;) {
      if (index >= text.length) throw new CsvError('unterminated-quote', opening)
      if (atLineBreak()) {
        skipLineBreak()
      } else if (text[index] !== QUOTE) {
        index++
      } else if (text[index + 1] === QUOTE) {
        value += text.slice(start, index + 1)
        index += 2
        start = index
      } else {
        value += text.slice(start, index)
        index++
        break
      }
    }
    if (index < text.length && text[index] !== delimiter && !atLineBreak()) {
      throw new CsvError('text-after-quote', position())
    }
    return value
  }

  const readUnquoted = (): string => {
    const start = index
    while (index < text.length && text[index] !== delimiter && !atLineBreak()) {
      if (text[index] === QUOTE) throw new CsvError('unexpected-quote', position())
      index++
    }
    return text.slice(start, index)
  }

  while (index < text.length) {
    if (atLineBreak()) {
      skipLineBreak()
      continue
    }
    const row: Field[] = []
    for (;;) {
      const start = position()
      row.push({ value: text[index] === QUOTE ? readQuoted() : readUnquoted(), position: start })
      if (text[index] !== delimiter) break
      index++
    }
    if (index < text.length) skipLineBreak()
    yield row
  }
}

function readColumns(row: readonly Field[]): string[] {
  const columns = new Set<string>()
  for (const { value, position } of row) {
    if (columns.has(value)) throw new CsvError('duplicate-column', position)
    columns.add(value)
  }
  return [...columns]
}

export function parseCsv(text: string, options?: CsvOptions & { header?: false }): string[][]
export function parseCsv(
  text: string,
  options: CsvOptions & { header: true },
): Record<string, string>[]
export function parseCsv(
  text: string,
  options: CsvOptions = {},
): string[][] | Record<string, string>[] {
  const { delimiter = ',', header = false } = options
  if (typeof delimiter !== 'string' || delimiter.length !== 1 || '"\r\n'.includes(delimiter)) {
    throw new RangeError(`Not a delimiter: ${JSON.stringify(delimiter)}`)
  }

  if (!header) {
    return Array.from(readRows(text, delimiter), (row) => row.map((field) => field.value))
  }

  const records: Record<string, string>[] = []
  let columns: string[] | undefined
  for (const row of readRows(text, delimiter)) {
    if (columns === undefined) {
      columns = readColumns(row)
      continue
    }
    if (row.length !== columns.length) {
      throw new CsvError('field-count', row[0]?.position ?? { line: 1, column: 1 })
    }
    // Object.fromEntries defines properties instead of assigning them, even __proto__.
    records.push(Object.fromEntries(columns.map((name, i) => [name, row[i]?.value ?? ''])))
  }
  return records
}
