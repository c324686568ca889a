import type { ClientConfig } from 'pg'

const SCHEMA = /^[a-z_][a-z0-9_]{0,62}$/

/** Whether a place of a database is a server's address rather than a file. */
export function isPostgresUrl(place: string): boolean {
  return /^postgres(ql)?:\/\//.test(place)
}

/** The address of a database for display, without user and password. */
export function describePostgres(url: string): string {
  const { host, pathname, searchParams } = new URL(url)
  return `database ${pathname.slice(1)} at ${searchParams.get('host') ?? host}`
}

/**
 * What a connection is opened with. `?schema=name` keeps the tables in a schema of that name; all other parameters are
 * the driver's. A connection that waits for `waitMs` for a lock, or idles in a transaction, gives up. What serves a board
 * keeps others from migrating it.
 */
export function postgresConfig(
  url: string,
  waitMs: number,
  purpose: 'serve' | 'command' = 'serve',
): ClientConfig & { schema: string } {
  const parsed = new URL(url)
  const schema = parsed.searchParams.get('schema') ?? 'public'
  if (!SCHEMA.test(schema)) throw new Error('a schema is named by small letters and digits')
  parsed.searchParams.delete('schema')
  return {
    connectionString: parsed.href,
    schema,
    application_name: purpose === 'serve' ? processName(schema) : 'proofboard-command',
    options: `-c search_path=${schema} -c timezone=UTC`,
    lock_timeout: waitMs,
    // A client that is cut off in the middle of a transaction must not block all others.
    idle_in_transaction_session_timeout: IDLE_MS,
    connectionTimeoutMillis: Math.max(waitMs, CONNECT_MS),
    keepAlive: true,
  }
}

/** What the connections of servers and workers are called; up to version 0.1.0 `proofboard` alone. */
export function processName(schema: string): string {
  return `proofboard ${schema}`.slice(0, MAX_NAME)
}

/** PostgreSQL cuts longer names off. */
const MAX_NAME = 63
const IDLE_MS = 30_000
const CONNECT_MS = 5000
