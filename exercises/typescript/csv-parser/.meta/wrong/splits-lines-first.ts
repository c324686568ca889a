// Wrong: the text is cut into lines before the quotes are read, so a quoted field cannot span
// lines.
export type CsvErrorCode =
  | 'unexpected-quote'
  | 'text-after-quote'
  | 'unterminated-quote'
  | 'duplicate-column'
  | 'field-count'

export class CsvError extends Error {
  constructor(
    readonly code: CsvErrorCode,
    readonly line: number,
    readonly column: number,
  ) {
    super(`${code} (line ${line}, column ${column})`)
  }
}

export interface CsvOptions {
  delimiter?: string
  header?: boolean
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
  const delimiter = options.delimiter ?? ','
  if (!/^[^"\r\n]$/.test(delimiter)) throw new RangeError('invalid delimiter')
  const lines = text.replace(/^\uFEFF/, '').split(/\r\n|\r|\n/)
  const rows: string[][] = []
  const records: Record<string, string>[] = []
  lines.forEach((line, index) => {
    if (line === '') return
    const { row, starts } = parseLine(line, index + 1, delimiter)
    rows.push(row)
    if (!options.header) return
    const names = rows[0]
    if (rows.length === 1) {
      const repeated = row.findIndex((name, position) => row.indexOf(name) !== position)
      if (repeated >= 0) throw new CsvError('duplicate-column', index + 1, starts[repeated])
    } else if (row.length !== names.length) {
      throw new CsvError('field-count', index + 1, 1)
    } else {
      records.push(Object.fromEntries(names.map((name, position) => [name, row[position]])))
    }
  })
  return options.header ? records : rows
}

function parseLine(line: string, lineNumber: number, delimiter: string) {
  const row: string[] = []
  const starts: number[] = []
  let offset = 0
  const fail = (code: CsvErrorCode, at: number) => new CsvError(code, lineNumber, at + 1)
  do {
    if (row.length > 0) offset++
    const start = offset
    starts.push(start + 1)
    if (line[offset] === '"') {
      let value = ''
      offset++
      while (line[offset] !== '"' || line[offset + 1] === '"') {
        if (offset >= line.length) throw fail('unterminated-quote', start)
        value += line[offset]
        offset += line[offset] === '"' ? 2 : 1
      }
      offset++
      if (offset < line.length && line[offset] !== delimiter) throw fail('text-after-quote', offset)
      row.push(value)
    } else {
      while (offset < line.length && line[offset] !== delimiter) {
        if (line[offset] === '"') throw fail('unexpected-quote', offset)
        offset++
      }
      row.push(line.slice(start, offset))
    }
  } while (offset < line.length)
  return { row, starts }
}
