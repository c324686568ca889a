import { createHash } from 'node:crypto'
import type pg from 'pg'
import { eachRow, type SqliteFile } from '../sqlite-file.ts'

/** Values as SQLite stores them: an instant is text, true is 1. */
type Value = string | number | bigint | null

type ColumnType = 'text' | 'number' | 'boolean' | 'instant'
type Column = { name: string; type: ColumnType }
export type Table = { name: string; columns: Column[]; key: string[]; serial: string | null }

/** Contents of a table: the number of its rows, and a digest over them in the order of their keys. */
export type TableFacts = { table: string; rows: number; digest: string }

/** Rows fetched or inserted per statement. */
const AT_ONCE = 500
const MAX_CHARACTERS = 8_000_000

const TYPES: Record<string, ColumnType> = {
  text: 'text',
  integer: 'number',
  bigint: 'number',
  'double precision': 'number',
  boolean: 'boolean',
  'timestamp without time zone': 'instant',
}

/** Lists the tables of a migrated server, referenced tables first. */
export async function listTables(client: pg.Client, schema: string): Promise<Table[]> {
  const columns = await client.query<{
    table: string
    name: string
    type: string
    serial: string | null
  }>(
    `SELECT table_name AS "table", column_name AS "name", data_type AS "type",
       pg_get_serial_sequence(format('%I.%I', table_schema, table_name), column_name) AS "serial"
     FROM information_schema.columns WHERE table_schema = $1 AND table_name <> '_prisma_migrations'
     ORDER BY table_name COLLATE "C", column_name COLLATE "C"`,
    [schema],
  )
  const keys = await client.query<{ table: string; name: string }>(
    `SELECT t.relname AS "table", a.attname AS "name" FROM pg_index i
     JOIN pg_class t ON t.oid = i.indrelid JOIN pg_namespace n ON n.oid = t.relnamespace
     JOIN unnest(i.indkey) WITH ORDINALITY AS k(number, place) ON true
     JOIN pg_attribute a ON a.attrelid = t.oid AND a.attnum = k.number
     WHERE i.indisprimary AND n.nspname = $1 ORDER BY t.relname, k.place`,
    [schema],
  )
  const tables = new Map<string, Table>()
  for (const { table, name, type, serial } of columns.rows) {
    const known = tables.get(table) ?? { name: table, columns: [], key: [], serial: null }
    const kind = TYPES[type]
    if (kind === undefined) throw new Error(`${table}.${name} has the unknown type ${type}`)
    known.columns.push({ name, type: kind })
    if (serial !== null) known.serial = name
    tables.set(table, known)
  }
  for (const { table, name } of keys.rows) tables.get(table)?.key.push(name)
  return sortByReference([...tables.values()], await listReferences(client, schema))
}

async function listReferences(client: pg.Client, schema: string) {
  const { rows } = await client.query<{ from: string; to: string }>(
    `SELECT f.relname AS "from", t.relname AS "to" FROM pg_constraint c
     JOIN pg_class f ON f.oid = c.conrelid JOIN pg_class t ON t.oid = c.confrelid
     JOIN pg_namespace n ON n.oid = f.relnamespace WHERE c.contype = 'f' AND n.nspname = $1`,
    [schema],
  )
  return rows
}

function sortByReference(tables: Table[], references: { from: string; to: string }[]): Table[] {
  const sorted: Table[] = []
  const done = new Set<string>()
  while (sorted.length < tables.length) {
    const ready = tables.filter(
      ({ name }) =>
        !done.has(name) && references.every(({ from, to }) => from !== name || done.has(to)),
    )
    if (ready.length === 0) throw new Error('tables refer to each other in a circle')
    for (const table of ready) {
      done.add(table.name)
      sorted.push(table)
    }
  }
  return sorted
}

/** Yields the rows of a server's table in key order. Requires a transaction. */
export async function* readServerRows(client: pg.Client, table: Table): AsyncGenerator<Value[]> {
  const expressions = table.columns.map(({ name, type }) => {
    if (type === 'boolean') return `CAST("${name}" AS integer)`
    if (type === 'instant') return `to_char("${name}", 'YYYY-MM-DD"T"HH24:MI:SS.MS"+00:00"')`
    return `"${name}"`
  })
  const order = table.key.map((name) => `"${name}"`).join(', ')
  await client.query(
    `DECLARE rows NO SCROLL CURSOR FOR SELECT ${expressions.join(', ')} FROM "${table.name}" ORDER BY ${order}`,
  )
  for (;;) {
    const { rows } = await client.query<Value[]>({
      text: `FETCH ${AT_ONCE} FROM rows`,
      rowMode: 'array',
    })
    yield* rows
    if (rows.length < AT_ONCE) break
  }
  await client.query('CLOSE rows')
}

/** Yields the rows of a file's table in key order. */
export function* readFileRows(file: SqliteFile, table: Table): Generator<Value[]> {
  const names = table.columns.map(({ name }) => `"${name}"`).join(', ')
  const order = table.key.map((name) => `"${name}"`).join(', ')
  const statement = file.prepare(`SELECT ${names} FROM "${table.name}" ORDER BY ${order}`)
  for (const row of eachRow<Record<string, Value>>(statement))
    yield table.columns.map(({ name, type }) => normal(row[name] ?? null, type))
}

/** Normalises instants to one format. */
function normal(value: Value, type: ColumnType): Value {
  if (value === null || type !== 'instant') return value
  return new Date(String(value)).toISOString().replace('Z', '+00:00')
}

/** Counts and digests the rows that pass through. */
export class RowDigest {
  readonly #hash = createHash('sha256')
  rows = 0

  add(row: readonly Value[]): void {
    this.rows++
    this.#hash.update(
      `${JSON.stringify(row.map((value) => (typeof value === 'bigint' ? Number(value) : value)))}\n`,
    )
  }

  facts(table: string): TableFacts {
    return { table, rows: this.rows, digest: `sha256:${this.#hash.digest('hex')}` }
  }
}

/** Inserts rows into a server's table, many per statement. */
export async function insertIntoServer(
  client: pg.Client,
  table: Table,
  rows: Iterable<Value[]>,
): Promise<TableFacts> {
  const digest = new RowDigest()
  const names = table.columns.map(({ name }) => `"${name}"`).join(', ')
  const sql = `INSERT INTO "${table.name}" (${names}) SELECT ${names} FROM json_populate_recordset(NULL::"${table.name}", $1)`
  let batch: string[] = []
  let characters = 0
  const flush = async () => {
    if (batch.length > 0) await client.query(sql, [`[${batch.join(',')}]`])
    batch = []
    characters = 0
  }
  for (const row of rows) {
    digest.add(row)
    const text = JSON.stringify(
      Object.fromEntries(
        table.columns.map(({ name, type }, at) => [name, asJson(row[at] ?? null, type)]),
      ),
    )
    batch.push(text)
    characters += text.length
    if (batch.length === AT_ONCE || characters > MAX_CHARACTERS) await flush()
  }
  await flush()
  return digest.facts(table.name)
}

function asJson(value: Value, type: ColumnType): unknown {
  if (value === null) return null
  if (type === 'boolean') return Number(value) === 1
  return typeof value === 'bigint' ? Number(value) : value
}

/** Inserts rows into a file's table. */
export async function insertIntoFile(
  file: SqliteFile,
  table: Table,
  rows: AsyncIterable<Value[]>,
): Promise<TableFacts> {
  const digest = new RowDigest()
  const names = table.columns.map(({ name }) => `"${name}"`).join(', ')
  const places = table.columns.map(() => '?').join(', ')
  const insert = file.prepare(`INSERT INTO "${table.name}" (${names}) VALUES (${places})`)
  for await (const row of rows) {
    digest.add(row)
    insert.run(...row)
  }
  return digest.facts(table.name)
}
