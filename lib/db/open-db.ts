import { PrismaBetterSqlite3 } from '@prisma/adapter-better-sqlite3'
import { isBusy } from './database-error.ts'
import { type Prisma, PrismaClient } from './generated/client.ts'

export type Db = PrismaClient
/** What works inside a transaction and outside of one. */
export type DbOrTx = PrismaClient | Prisma.TransactionClient

/** Opens a migrated database file; `waitMs` is how long a statement waits for another process's lock. */
export function openDb(file: string, { waitMs = 10_000 } = {}): Db {
  const adapter = new SqliteAdapter(file, waitMs)
  return new PrismaClient({
    adapter,
    transactionOptions: { maxWait: waitMs + 5000, timeout: 30_000 },
  })
}

type SqlDriverAdapter = Awaited<ReturnType<PrismaBetterSqlite3['connect']>>
type SqlQuery = Parameters<SqlDriverAdapter['queryRaw']>[0]
type IsolationLevel = Parameters<SqlDriverAdapter['startTransaction']>[0]
type Transaction = Awaited<ReturnType<SqlDriverAdapter['startTransaction']>>

/** Who may use the connection: one transaction as long as it is open, or one statement at a time. */
class Turns {
  readonly #waitMs: number
  #open: Promise<void> | undefined

  constructor(waitMs: number) {
    this.#waitMs = waitMs
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
      try {
        return await work()
      } catch (error) {
        if (!isBusy(error) || performance.now() > deadline) throw error
      }
      await new Promise((resolve) => setTimeout(resolve, pauseMs * (0.5 + Math.random())))
    }
  }
}

/**
 * Prisma's own SQLite adapter shares one connection between everything: a query made while a transaction is open runs
 * inside it (and is lost if that rolls back), and its wait for another process's lock blocks the event loop. Here
 * queries wait for the open transaction, a transaction takes the write lock when it starts, and waiting is asynchronous.
 * Mind: inside a transaction's callback use the transaction's client only; the outer one would wait for itself.
 */
export class SqliteAdapter extends PrismaBetterSqlite3 {
  readonly #waitMs: number

  constructor(file: string, waitMs: number) {
    super({ url: file, timeout: 0 })
    this.#waitMs = waitMs
  }

  override async connect(): Promise<SqlDriverAdapter> {
    const connection = await super.connect()
    const turns = new Turns(this.#waitMs)
    const own: Partial<SqlDriverAdapter> = {
      queryRaw: (query: SqlQuery) => turns.alone(() => connection.queryRaw(query)),
      executeRaw: (query: SqlQuery) => turns.alone(() => connection.executeRaw(query)),
      executeScript: (script: string) => turns.alone(() => connection.executeScript(script)),
      startTransaction: (level: IsolationLevel) =>
        turns.hold((release) => beginWriting(connection, level, release)),
    }
    return new Proxy(connection, {
      get: (target, key) => own[key as keyof SqlDriverAdapter] ?? bound(target, key),
    })
  }
}

async function beginWriting(
  connection: SqlDriverAdapter,
  level: IsolationLevel,
  release: () => void,
): Promise<Transaction> {
  const transaction = await connection.startTransaction(level)
  const { commit, rollback } = transaction
  transaction.commit = () => commit.call(transaction).finally(release)
  transaction.rollback = () => rollback.call(transaction).finally(release)
  try {
    // BEGIN is deferred: write nothing now, so that a stale read cannot fail later when it turns into a write.
    const sql = 'UPDATE "_prisma_migrations" SET "id" = "id" WHERE 0'
    await transaction.executeRaw({ sql, args: [], argTypes: [] })
  } catch (error) {
    await connection.executeScript('ROLLBACK')
    await transaction.rollback()
    throw error
  }
  return transaction
}

function bound(target: object, key: string | symbol): unknown {
  const value: unknown = Reflect.get(target, key)
  return typeof value === 'function' ? value.bind(target) : value
}

function withResolvers(): { promise: Promise<void>; resolve: () => void } {
  let resolve = () => {}
  const promise = new Promise<void>((settle) => {
    resolve = settle
  })
  return { promise, resolve }
}
