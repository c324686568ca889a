import { markDialect } from './dialect.ts'
import { type Prisma, PrismaClient } from './generated/sqlite/client.ts'
import { openPostgres } from './postgres/open-postgres.ts'
import { isPostgresUrl } from './postgres/postgres-url.ts'
import { SqliteDriver } from './sqlite-driver.ts'

/** The two clients are made from the same models: SQLite's types are those of both. */
export type Db = PrismaClient
/** What works inside a transaction and outside of one. */
export type DbOrTx = PrismaClient | Prisma.TransactionClient

/**
 * Opens a migrated database, a SQLite file or the URL of a PostgreSQL server; `waitMs` is how long a statement waits for
 * another process's lock.
 */
export function openDb(place: string, { waitMs = 10_000 } = {}): Db {
  if (isPostgresUrl(place)) {
    const client = openPostgres(place, { waitMs }) as unknown as Db
    return markDialect(client, 'postgresql')
  }
  const client = new PrismaClient({
    adapter: new SqliteDriver(place, waitMs),
    transactionOptions: { maxWait: waitMs + 5000, timeout: 30_000 },
  })
  return markDialect(client, 'sqlite')
}
