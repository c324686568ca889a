import type { StatementColumnMetadata } from '@photostructure/sqlite'
import {
  type ArgType,
  type ColumnType,
  ColumnTypeEnum,
  type SqlQuery,
  type SqlResultSet,
} from '@prisma/driver-adapter-utils'

type Value = string | number | bigint | Uint8Array | null

/** Column types declared by migrations. */
const DECLARED: Readonly<Record<string, ColumnType>> = {
  TEXT: ColumnTypeEnum.Text,
  INTEGER: ColumnTypeEnum.Int32,
  'INTEGER UNSIGNED': ColumnTypeEnum.Int32,
  BIGINT: ColumnTypeEnum.Int64,
  REAL: ColumnTypeEnum.Double,
  BOOLEAN: ColumnTypeEnum.Boolean,
  DATETIME: ColumnTypeEnum.DateTime,
  BLOB: ColumnTypeEnum.Bytes,
}

/** Column names and types of a prepared statement; null = an expression, which has no declared type. */
export type Columns = { names: string[]; types: (ColumnType | null)[] }

export function readColumns(columns: readonly StatementColumnMetadata[]): Columns {
  return {
    names: columns.map(({ name }) => name),
    types: columns.map(({ type }) => DECLARED[type?.toUpperCase() ?? ''] ?? null),
  }
}

/** Returns whether a number may exceed JavaScript's safe range. */
export function mayBeLarge({ types }: Columns): boolean {
  return types.some((type) => type === null || type === ColumnTypeEnum.Int64)
}

/** Converts rows to Prisma's result set, in place. */
export function toResultSet(columns: Columns, rows: Value[][]): SqlResultSet {
  const columnTypes = columns.types.map((type, index) => type ?? inferType(rows, index))
  for (const row of rows) {
    for (let index = 0; index < row.length; index++)
      row[index] = toResult(row[index] ?? null, columnTypes[index] as ColumnType)
  }
  return { columnNames: columns.names, columnTypes, rows }
}

/** Infers the type from the first value that is not null. */
function inferType(rows: readonly Value[][], index: number): ColumnType {
  const value = rows.find((row) => row[index] !== null)?.[index] ?? null
  if (typeof value === 'string') return ColumnTypeEnum.Text
  if (typeof value === 'bigint') return ColumnTypeEnum.Int64
  if (typeof value === 'number') return ColumnTypeEnum.UnknownNumber
  return value === null ? ColumnTypeEnum.Int32 : ColumnTypeEnum.Bytes
}

function toResult(value: Value, type: ColumnType): Value {
  if (typeof value === 'bigint') return fromBigInt(value, type)
  if (typeof value !== 'number') return value
  if (type === ColumnTypeEnum.DateTime) return new Date(value).toISOString()
  const isWhole = type === ColumnTypeEnum.Int32 || type === ColumnTypeEnum.Int64
  return isWhole ? Math.trunc(value) : value
}

function fromBigInt(value: bigint, type: ColumnType): Value {
  const number = Number(value)
  if (type === ColumnTypeEnum.DateTime) return new Date(number).toISOString()
  return Number.isSafeInteger(number) ? number : String(value)
}

/** Converts a query's arguments to SQLite's values. */
export function toArguments({ args, argTypes }: SqlQuery): Value[] {
  return args.map((value, index) => toArgument(value, argTypes[index]))
}

function toArgument(value: unknown, type: ArgType | undefined): Value {
  if (typeof value === 'boolean') return value ? 1 : 0
  if (value instanceof Date) return toInstant(value)
  if (value === undefined) return null
  return typeof value === 'string' ? fromText(value, type) : (value as Value)
}

function fromText(text: string, type: ArgType | undefined): Value {
  switch (type?.scalarType) {
    case 'int':
    case 'float':
    case 'decimal':
      return Number(text)
    case 'bigint':
      return BigInt(text)
    case 'datetime':
      return toInstant(new Date(text))
    case 'bytes':
      return Buffer.from(text, 'base64')
    default:
      return text
  }
}

/** Formats an instant as Prisma writes it into SQLite. */
function toInstant(date: Date): string {
  return date.toISOString().replace('Z', '+00:00')
}
