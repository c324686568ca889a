import type { StatementSyncInstance } from '@photostructure/sqlite'
import {
  DriverAdapterError,
  type IsolationLevel,
  type Error as PrismaError,
  type SqlDriverAdapter,
  type SqlMigrationAwareDriverAdapterFactory,
  type SqlQuery,
  type SqlQueryable,
  type SqlResultSet,
  type Transaction,
} from '@prisma/driver-adapter-utils'
import { isBusy } from './database-error.ts'
import { openSqlite, type SqliteFile, unsynced, watchFile } from './sqlite-file.ts'
import { type Columns, mayBeLarge, readColumns, toArguments, toResultSet } from './sqlite-values.ts'

const MEMORY = ':memory:'
/** SQLite's own limit of values per statement. Prisma assumes 999 and fails for queries that it cannot split. */
const MAX_VALUES = 32_766
const IDENTITY = { provider: 'sqlite', adapterName: 'proofboard-sqlite' } as const

/**
 * Prisma driver adapter for a database file: one connection, used by one transaction while it is open, or by one
 * statement at a time. A transaction takes the write lock when it starts, so a stale read cannot fail later when it
 * turns into a write; it is on the disk when it ends, unless it was begun `withoutSync`. Waiting for another process's
 * lock is asynchronous. All queries fail while the file at its path is not the one that was opened.
 * Inside a transaction's callback use the transaction's client only; the outer one would deadlock.
 */
export class SqliteDriver implements SqlMigrationAwareDriverAdapterFactory {
  readonly provider = IDENTITY.provider
  readonly adapterName = IDENTITY.adapterName
  readonly #file: string
  readonly #waitMs: number

  constructor(file: string, waitMs: number) {
    this.#file = file
    this.#waitMs = waitMs
  }

  async connect(): Promise<SqlDriverAdapter> {
    return connectTo(this.#file, this.#waitMs)
  }

  /** Shadow database of Prisma's own commands. */
  async connectToShadowDb(): Promise<SqlDriverAdapter> {
    return connectTo(MEMORY, this.#waitMs)
  }
}

function connectTo(path: string, waitMs: number): SqlDriverAdapter {
  const file = openSqlite(path, { waitMs: 0 })
  const requireFile = path === MEMORY ? () => {} : watchFile(path)
  const connection = new Connection(file)
  const mutex = new ConnectionMutex(waitMs, requireFile)
  return {
    ...IDENTITY,
    getConnectionInfo: () => ({ maxBindValues: MAX_VALUES, supportsRelationJoins: false }),
    queryRaw: (query) => mutex.alone(() => connection.queryRaw(query)),
    executeRaw: (query) => mutex.alone(() => connection.executeRaw(query)),
    executeScript: (script) => mutex.alone(async () => connection.exec(script)),
    startTransaction: (level) =>
      mutex.hold((release) => begin(connection, level, { release, requireFile })),
    dispose: async () => file.close(),
  }
}

async function begin(
  connection: Connection,
  level: IsolationLevel | undefined,
  { release, requireFile }: { release: () => void; requireFile: () => void },
): Promise<Transaction> {
  if (level !== undefined && level !== 'SERIALIZABLE')
    throw new DriverAdapterError({ kind: 'InvalidIsolationLevel', level })
  const synchronous = unsynced.getStore() ? 'NORMAL' : 'FULL'
  connection.exec(`PRAGMA synchronous = ${synchronous}; BEGIN IMMEDIATE`)
  const leave = async () => {
    release()
    connection.exec('PRAGMA synchronous = NORMAL')
  }
  const execute = (sql: string) => async () =>
    void (await connection.executeRaw({ sql, args: [], argTypes: [] }))
  return {
    ...IDENTITY,
    // Prisma sends COMMIT and ROLLBACK itself.
    options: { usePhantomQuery: false },
    queryRaw: (query) => connection.queryRaw(query),
    executeRaw: (query) => connection.executeRaw(query),
    commit: async () => {
      await leave()
      requireFile()
    },
    rollback: leave,
    createSavepoint: (name) => execute(`SAVEPOINT ${name}`)(),
    rollbackToSavepoint: (name) => execute(`ROLLBACK TO ${name}`)(),
    releaseSavepoint: (name) => execute(`RELEASE SAVEPOINT ${name}`)(),
  }
}

type Prepared = { statement: StatementSyncInstance; columns: Columns }

/** Cached prepared statements. Prisma writes the same few hundred texts. */
const MAX_PREPARED = 300
/** Longer statements list many values and differ in length, so they are not cached: each takes a megabyte. */
const MAX_PREPARED_CHARACTERS = 20_000

class Connection implements SqlQueryable {
  readonly provider = IDENTITY.provider
  readonly adapterName = IDENTITY.adapterName
  readonly #file: SqliteFile
  /** Keyed by text, least recently used first. */
  readonly #prepared = new Map<string, Prepared>()

  constructor(file: SqliteFile) {
    this.#file = file
  }

  async queryRaw(query: SqlQuery): Promise<SqlResultSet> {
    return named(() => {
      const { statement, columns } = this.#prepare(query.sql)
      const args = toArguments(query)
      if (columns.names.length === 0) {
        statement.run(...args)
        return { columnNames: [], columnTypes: [], rows: [] }
      }
      return toResultSet(columns, statement.all(...args))
    })
  }

  async executeRaw(query: SqlQuery): Promise<number> {
    return named(() => this.#prepare(query.sql).statement.run(...toArguments(query)).changes)
  }

  exec(script: string): void {
    named(() => this.#file.exec(script))
  }

  #prepare(sql: string): Prepared {
    if (sql.length > MAX_PREPARED_CHARACTERS) return prepare(this.#file, sql)
    const known = this.#prepared.get(sql)
    this.#prepared.delete(sql)
    const prepared = known ?? prepare(this.#file, sql)
    this.#prepared.set(sql, prepared)
    const [oldest] = this.#prepared.keys()
    if (this.#prepared.size > MAX_PREPARED && oldest !== undefined) this.#prepared.delete(oldest)
    return prepared
  }
}

function prepare(file: SqliteFile, sql: string): Prepared {
  const statement = file.prepare(sql)
  const columns = readColumns(statement.columns())
  statement.setReturnArrays(true)
  statement.setReadBigInts(mayBeLarge(columns))
  return { statement, columns }
}

/** Mutex of the connection: held by one transaction while it is open, or by one statement. */
class ConnectionMutex {
  readonly #waitMs: number
  readonly #requireFile: () => void
  #open: Promise<void> | undefined

  constructor(waitMs: number, requireFile: () => void) {
    this.#waitMs = waitMs
    this.#requireFile = requireFile
  }

  alone<T>(work: () => Promise<T>): Promise<T> {
    return this.#untilFree(work)
  }

  /** Holds the connection until `release` is called, or until `work` fails. */
  hold<T>(work: (release: () => void) => Promise<T>): Promise<T> {
    return this.#untilFree(async () => {
      const { promise, resolve } = withResolvers()
      this.#open = promise
      const release = () => {
        this.#open = undefined
        resolve()
      }
      try {
        return await work(release)
      } catch (error) {
        release()
        throw error
      }
    })
  }

  async #untilFree<T>(work: () => Promise<T>): Promise<T> {
    const deadline = performance.now() + this.#waitMs
    for (let pauseMs = 2; ; pauseMs = Math.min(pauseMs * 2, 50)) {
      while (this.#open !== undefined) await this.#open
      this.#requireFile()
      try {
        return await work()
      } catch (error) {
        if (!isBusy(error) || performance.now() > deadline) throw error
      }
      await new Promise((resolve) => setTimeout(resolve, pauseMs * (0.5 + Math.random())))
    }
  }
}

function withResolvers(): { promise: Promise<void>; resolve: () => void } {
  let resolve = () => {}
  const promise = new Promise<void>((settle) => {
    resolve = settle
  })
  return { promise, resolve }
}

/** Runs `work` and converts its failure into one that Prisma knows. */
function named<T>(work: () => T): T {
  try {
    return work()
  } catch (error) {
    if (error instanceof Error && 'errcode' in error && typeof error.errcode === 'number')
      throw new DriverAdapterError(describe(error.errcode, error.message))
    throw error
  }
}

/** SQLite's extended result codes. */
const CODES = {
  busy: 5,
  foreignKey: 787,
  notNull: 1299,
  primaryKey: 1555,
  trigger: 1811,
  unique: 2067,
}
const PRIMARY_CODE = 0xff

function describe(
  code: number,
  message: string,
): PrismaError & { originalCode: string; originalMessage: string } {
  return { originalCode: String(code), originalMessage: message, ...mapFailure(code, message) }
}

function mapFailure(code: number, message: string): PrismaError {
  const columns = message.split('constraint failed: ')[1]?.split(', ') ?? []
  const fields = columns.map((column) => column.split('.').at(-1) ?? column)
  const constraint = fields.length > 0 ? { constraint: { fields } } : {}
  if (code === CODES.unique || code === CODES.primaryKey)
    return { kind: 'UniqueConstraintViolation', ...constraint }
  if (code === CODES.notNull) return { kind: 'NullConstraintViolation', ...constraint }
  if (code === CODES.foreignKey || code === CODES.trigger)
    return { kind: 'ForeignKeyConstraintViolation', constraint: { foreignKey: {} } }
  if ((code & PRIMARY_CODE) === CODES.busy) return { kind: 'SocketTimeout' }
  if (message.startsWith('no such table: '))
    return { kind: 'TableDoesNotExist', table: message.slice('no such table: '.length) }
  const column = /(?:no such column: |has no column named )(.+)/.exec(message)?.[1]
  if (column !== undefined) return { kind: 'ColumnNotFound', column }
  return { kind: 'sqlite', extendedCode: code, message }
}
