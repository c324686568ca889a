import type { Db } from './db.ts'
import { markDialect } from './dialect.ts'
import { PrismaClient } from './generated/sqlite/client.ts'
import { openPostgres } from './postgres/open-postgres.ts'
import { isPostgresUrl } from './postgres/postgres-url.ts'
import { SqliteDriver } from './sqlite-driver.ts'

/**
 * Opens a migrated database, a SQLite file or the URL of a PostgreSQL server. `waitMs` = how long a statement waits for
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
