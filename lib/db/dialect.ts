/** Which database stands behind a client. Stores ask here where the two need other SQL; nobody else knows. */
export type Dialect = 'sqlite' | 'postgresql'

const DIALECT = Symbol.for('proofboard.dialect')

/** Says of a new client what it talks to; its transactions inherit it. */
export function markDialect<T extends object>(client: T, dialect: Dialect): T {
  return Object.assign(client, { [DIALECT]: dialect })
}

/** What a client, or a transaction of one, talks to. */
export function dialectOf(client: object): Dialect {
  const { [DIALECT]: dialect } = client as { [DIALECT]?: Dialect }
  if (dialect === undefined) throw new Error('this is not a client of openDb')
  return dialect
}
