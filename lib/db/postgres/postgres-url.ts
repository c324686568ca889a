import type { ClientConfig } from 'pg'

const SCHEMA = /^[a-z_][a-z0-9_]{0,62}$/

/** Returns whether a database location is a server's URL rather than a file. */
export function isPostgresUrl(place: string): boolean {
  return /^postgres(ql)?:\/\//.test(place)
}

/** Formats the URL of a database for display, without user and password. */
export function describePostgres(url: string): string {
  const { host, pathname, searchParams } = new URL(url)
  return `database ${pathname.slice(1)} at ${searchParams.get('host') ?? host}`
}

/**
 * Options of a connection. `?schema=name` stores the tables in a schema of that name; other parameters are the
 * driver's. A statement that waits longer than `waitMs` for a lock fails, as does a transaction that idles. Connections
 * of servers block migrations.
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
    // A disconnected client must not block others with its open transaction.
    idle_in_transaction_session_timeout: IDLE_MS,
    connectionTimeoutMillis: Math.max(waitMs, CONNECT_MS),
    keepAlive: true,
  }
}

/** Application name of the connections of servers and workers; up to version 0.1.0 just `proofboard`. */
export function processName(schema: string): string {
  return `proofboard ${schema}`.slice(0, MAX_NAME)
}

/** PostgreSQL truncates longer names. */
const MAX_NAME = 63
const IDLE_MS = 30_000
const CONNECT_MS = 5000
