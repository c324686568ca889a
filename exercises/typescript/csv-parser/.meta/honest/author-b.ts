export type CsvErrorCode =
  | 'unexpected-quote'
  | 'text-after-quote'
  | 'unterminated-quote'
  | 'duplicate-column'
  | 'field-count'

export class CsvError extends Error {
  readonly code: CsvErrorCode
  readonly line: number
  readonly column: number

  constructor(code: CsvErrorCode, { line, column }: Position) {
    super(`${MESSAGES[code]} (line ${line}, column ${column})`)
    this.name = 'CsvError'
    this.code = code
    this.line = line
    this.column = column
  }
}

const MESSAGES: Readonly<Record<CsvErrorCode, string>> = {
  'unexpected-quote': 'A quote inside an unquoted field',
  'text-after-quote': 'Text after a quoted field',
  'unterminated-quote': 'A quoted field without an end',
  'duplicate-column': 'A column name appears a second time',
  'field-count': 'The row has more or fewer fields than there are columns',
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
  const { delimiter = ',', header = false } = options
  if (typeof delimiter !== 'string' || delimiter.length !== 1 || '"\r\n'.includes(delimiter)) {
    throw new RangeError(`Not a delimiter: ${JSON.stringify(delimiter)}`)
  }
  const body = text.startsWith('\uFEFF') ? text.slice(1) : text

  if (!header) {
    const rows: string[][] = []
    readRows(body, delimiter, (row) => rows.push(valuesOf(row)))
    return rows
  }
  const records: Record<string, string>[] = []
  let columns: readonly string[] | undefined
  // Each row is checked as soon as it is complete, before anything after it is read.
  readRows(body, delimiter, (row) => {
    if (columns === undefined) columns = columnNames(row)
    else records.push(toRecord(columns, row))
  })
  return records
}

// Positions

interface Position {
  readonly line: number
  readonly column: number
}

interface Field {
  readonly value: string
  readonly begin: Position
}

type Row = readonly Field[]

function valuesOf(row: Row): string[] {
  return row.map(({ value }) => value)
}

// Records

function columnNames(row: Row): readonly string[] {
  const names = valuesOf(row)
  const repeated = row.find(({ value }, index) => names.indexOf(value) < index)
  if (repeated !== undefined) throw new CsvError('duplicate-column', repeated.begin)
  return names
}

function toRecord(columns: readonly string[], row: Row): Record<string, string> {
  if (row.length !== columns.length) throw new CsvError('field-count', row[0].begin)
  // `fromEntries` defines own properties, also one called `__proto__`.
  return Object.fromEntries(row.map(({ value }, index) => [columns[index], value]))
}

// Rows

/**
 * - `line`: at the beginning of a line that does not belong to a row yet
 * - `field`: at the beginning of a further field
 * - `plain`: in an unquoted field
 * - `quoted`: in a quoted field
 * - `quote`: after a quote in a quoted field, which is its end or the first half of a doubled one
 */
type State = 'line' | 'field' | 'plain' | 'quoted' | 'quote'

type UnitKind = 'quote' | 'delimiter' | 'break' | 'text' | 'end'

/**
 * - `open` begins a field with this unit, which is its quote
 * - `begin` begins a field with this unit as text
 * - `append` adds the unit to the field
 * - `next` ends the field, `empty-next` does so with a field that has no characters
 * - `row` and `empty-row` end the row as well
 * - an error code says that the unit is not allowed here
 */
type Action =
  | 'open'
  | 'begin'
  | 'append'
  | 'next'
  | 'empty-next'
  | 'row'
  | 'empty-row'
  | 'ignore'
  | CsvErrorCode

const TABLE: Readonly<Record<State, Readonly<Record<UnitKind, readonly [Action, State]>>>> = {
  line: {
    quote: ['open', 'quoted'],
    delimiter: ['empty-next', 'field'],
    break: ['ignore', 'line'],
    text: ['begin', 'plain'],
    end: ['ignore', 'line'],
  },
  field: {
    quote: ['open', 'quoted'],
    delimiter: ['empty-next', 'field'],
    break: ['empty-row', 'line'],
    text: ['begin', 'plain'],
    end: ['empty-row', 'line'],
  },
  plain: {
    quote: ['unexpected-quote', 'plain'],
    delimiter: ['next', 'field'],
    break: ['row', 'line'],
    text: ['append', 'plain'],
    end: ['row', 'line'],
  },
  quoted: {
    quote: ['ignore', 'quote'],
    delimiter: ['append', 'quoted'],
    break: ['append', 'quoted'],
    text: ['append', 'quoted'],
    end: ['unterminated-quote', 'quoted'],
  },
  quote: {
    quote: ['append', 'quoted'],
    delimiter: ['next', 'field'],
    break: ['row', 'line'],
    text: ['text-after-quote', 'quote'],
    end: ['row', 'line'],
  },
}

function readRows(text: string, delimiter: string, onRow: (row: Row) => void): void {
  let state: State = 'line'
  let row: Field[] = []
  let value = ''
  let begin: Position = { line: 1, column: 1 }
  let line = 1
  let lineBegin = 0

  for (let index = 0; index <= text.length; ) {
    const unit = unitAt(text, index)
    const kind = kindOf(unit, delimiter)
    const here: Position = { line, column: index - lineBegin + 1 }
    const [action, next]: readonly [Action, State] = TABLE[state][kind]

    switch (action) {
      case 'ignore':
        break
      case 'open':
      case 'begin':
        value = action === 'open' ? '' : unit
        begin = here
        break
      case 'append':
        value += unit
        break
      case 'next':
      case 'row':
        row.push({ value, begin })
        break
      case 'empty-next':
      case 'empty-row':
        row.push({ value: '', begin: here })
        break
      default:
        throw new CsvError(action, action === 'unterminated-quote' ? begin : here)
    }
    if (action === 'row' || action === 'empty-row') {
      onRow(row)
      row = []
    }

    state = next
    index += Math.max(unit.length, 1)
    if (kind === 'break') {
      line += 1
      lineBegin = index
    }
  }
}

/** One character, or a line break of two. Empty at the end. */
function unitAt(text: string, index: number): string {
  return text.startsWith('\r\n', index) ? '\r\n' : text.charAt(index)
}

function kindOf(unit: string, delimiter: string): UnitKind {
  switch (unit) {
    case '"':
      return 'quote'
    case delimiter:
      return 'delimiter'
    case '\n':
    case '\r':
    case '\r\n':
      return 'break'
    case '':
      return 'end'
    default:
      return 'text'
  }
}
