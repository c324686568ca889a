import { type Prisma, PrismaClient } from './generated/client.ts'
import { SqliteAdapter } from './sqlite-adapter.ts'

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
