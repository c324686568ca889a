import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { migratePostgres } from '#lib/db/postgres/migrate-postgres.ts'
import { startPostgres } from '../run/postgres-server.mjs'

export const MIGRATIONS_DIR = 'prisma/sqlite/migrations'

/** True if this test run uses databases of a PostgreSQL server. */
export const ON_POSTGRES = process.env.PROOFBOARD_TEST_DATABASE === 'postgresql'

type TestServer = { url: string } | { skipped: string }

// On globalThis, because test files that share a process evaluate their modules again.
const shared = globalThis as {
  postgresServer?: Promise<TestServer>
  postgresTemplate?: Promise<void>
}

/** The server of `npm test`, or one of this process when a file is run alone; or why there is none. */
export function testServer(): Promise<TestServer> {
  const { PROOFBOARD_TEST_POSTGRES: url } = process.env
  shared.postgresServer ??= url ? Promise.resolve({ url }) : startPostgres()
  return shared.postgresServer
}

const TEMPLATE = 'proofboard_template'

/** A new database with every migration, or an empty one; `drop` closes its connections and removes it. */
export async function postgresDatabase({ isEmpty = false } = {}): Promise<{
  url: string
  drop: () => Promise<void>
}> {
  const server = await testServer()
  if ('skipped' in server) throw new Error(`no PostgreSQL: ${server.skipped}`)
  if (!isEmpty) {
    shared.postgresTemplate ??= makeTemplate(server.url)
    await shared.postgresTemplate
  }
  const name = `test_${randomBytes(8).toString('hex')}`
  await administer(
    server.url,
    `CREATE DATABASE ${name} TEMPLATE ${isEmpty ? 'template0' : TEMPLATE}`,
  )
  const drop = () => administer(server.url, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`)
  return { url: onServer(server.url, name), drop }
}

/**
 * Settings for a command with its own database, new or empty. A SQLite file is found by the data folder; a server's
 * database is found by its address alone.
 */
export async function ownDatabase({ isEmpty = false } = {}): Promise<{ DATABASE_URL?: string }> {
  return ON_POSTGRES ? { DATABASE_URL: (await postgresDatabase({ isEmpty })).url } : {}
}

/** Message of a command if no server was ever started. */
export const NO_DATABASE = ON_POSTGRES ? 'has no tables yet' : 'there is no database at'

/** Address of another database on a server. */
function onServer(url: string, name: string): string {
  return Object.assign(new URL(url), { pathname: `/${name}` }).href
}

/** Created once, by the first of several processes; the others wait. */
async function makeTemplate(url: string): Promise<void> {
  const client = new pg.Client(url)
  await client.connect()
  try {
    await client.query('SELECT pg_advisory_lock(1)')
    const known = await client.query('SELECT 1 FROM pg_database WHERE datname = $1', [TEMPLATE])
    if (known.rowCount !== 0) return
    const draft = `${TEMPLATE}_draft`
    await client.query(`DROP DATABASE IF EXISTS ${draft}`)
    await client.query(`CREATE DATABASE ${draft} TEMPLATE template0`)
    await migratePostgres(onServer(url, draft), MIGRATIONS_DIR)
    await client.query(`ALTER DATABASE ${draft} RENAME TO ${TEMPLATE}`)
  } finally {
    await client.end()
  }
}

async function administer(url: string, statement: string): Promise<void> {
  const client = new pg.Client(url)
  await client.connect()
  try {
    await client.query(statement)
  } finally {
    await client.end()
  }
}
