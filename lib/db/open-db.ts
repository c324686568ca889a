import { markDialect } from './dialect.ts'
import { type Prisma, PrismaClient } from './generated/sqlite/client.ts'
import { SqliteDriver } from './sqlite-driver.ts'

export type Db = PrismaClient
/** What works inside a transaction and outside of one. */
export type DbOrTx = PrismaClient | Prisma.TransactionClient

/** Opens a migrated database file; `waitMs` is how long a statement waits for another process's lock. */
export function openDb(file: string, { waitMs = 10_000 } = {}): Db {
  const client = new PrismaClient({
    adapter: new SqliteDriver(file, waitMs),
    transactionOptions: { maxWait: waitMs + 5000, timeout: 30_000 },
  })
  return markDialect(client, 'sqlite')
}
