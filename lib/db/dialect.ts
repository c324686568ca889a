import { Prisma } from './generated/sqlite/client.ts'

/** The database that a client uses. Only stores whose SQL differs check it. */
type Dialect = 'sqlite' | 'postgresql'

const DIALECT = Symbol.for('proofboard.dialect')

/** Records the dialect of a new client; its transactions inherit it. */
export function markDialect<T extends object>(client: T, dialect: Dialect): T {
  return Object.assign(client, { [DIALECT]: dialect })
}

/** Returns the dialect of a client or transaction. */
export function dialectOf(client: object): Dialect {
  const { [DIALECT]: dialect } = client as { [DIALECT]?: Dialect }
  if (dialect === undefined) throw new Error('this is not a client of openDb')
  return dialect
}

/** Returns whether processes of several hosts may use this database; a file belongs to one host. */
export function isShared(client: object): boolean {
  return dialectOf(client) === 'postgresql'
}

/** Column types of `jsonRows`; an instant is written as ISO 8601 with Z. */
type ColumnKind = keyof typeof POSTGRES_TYPES
const POSTGRES_TYPES = {
  text: 'text',
  integer: 'integer',
  real: 'double precision',
  instant: 'timestamp(3)',
} as const

/**
 * Builds a table named "rows" from a JSON array of objects with these columns, to insert or join from. The text goes to
 * the database unparsed, which takes a twentieth of the time of creating an object per row.
 */
export function jsonRows(
  client: object,
  json: string,
  columns: { readonly [kind in ColumnKind]?: readonly string[] },
): Prisma.Sql {
  const all = (Object.keys(columns) as ColumnKind[]).flatMap((kind) =>
    (columns[kind] ?? []).map((name) => [name, kind] as const),
  )
  if (dialectOf(client) === 'postgresql') {
    const typed = all.map(([name, kind]) => `"${name}" ${POSTGRES_TYPES[kind]}`).join(', ')
    return Prisma.sql`json_to_recordset(CAST(${json} AS json)) AS "rows"(${Prisma.raw(typed)})`
  }
  const named = all.map(([name, kind]) => {
    const value = `value ->> '${name}'`
    return `${kind === 'instant' ? `replace(${value}, 'Z', '+00:00')` : value} AS "${name}"`
  })
  return Prisma.sql`(SELECT ${Prisma.raw(named.join(', '))} FROM json_each(${json})) AS "rows"`
}

/** Joins all values of a text column with commas; null = there are no rows. */
export function joinedText(client: object, column: Prisma.Sql): Prisma.Sql {
  return dialectOf(client) === 'postgresql'
    ? Prisma.sql`string_agg(${column}, ',')`
    : Prisma.sql`group_concat(${column})`
}

/** Selects a member of a JSON column, as text or number. Names are constants of this code, never input. */
export function jsonMember(client: object, column: string, member: string): Prisma.Sql {
  const sql =
    dialectOf(client) === 'postgresql'
      ? `(CAST("${column}" AS json) ->> '${member}')`
      : `json_extract("${column}", '$.${member}')`
  return Prisma.raw(sql)
}
