import { PrismaPg } from '@prisma/adapter-pg'
import { PrismaClient } from '../generated/postgresql/client.ts'
import { postgresConfig } from './postgres-url.ts'

/** Connections of one process. Its write transactions queue behind each other anyway. */
const MAX_CONNECTIONS = 8

/** Opens a client of a PostgreSQL server, with SQLite's models. */
export function openPostgres(url: string, { waitMs }: { waitMs: number }): PrismaClient {
  const { schema, ...config } = postgresConfig(url, waitMs)
  return new PrismaClient({
    adapter: new PrismaPg({ ...config, max: MAX_CONNECTIONS }, { schema }),
    transactionOptions: { maxWait: waitMs + 5000, timeout: waitMs + 30_000 },
  })
}
