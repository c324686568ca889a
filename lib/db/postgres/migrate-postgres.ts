import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import pg from 'pg'
import { AppError } from '../../errors.ts'
import { databaseError } from '../database-error.ts'
import { type Applied, type Migration, pending, readMigrations } from '../migrate.ts'
import { describePostgres, postgresConfig } from './postgres-url.ts'

/** Table of Prisma's own commands. */
const MIGRATIONS_TABLE = `CREATE TABLE IF NOT EXISTS "_prisma_migrations" (
  "id" VARCHAR(36) PRIMARY KEY NOT NULL, "checksum" VARCHAR(64) NOT NULL, "finished_at" TIMESTAMPTZ,
  "migration_name" VARCHAR(255) NOT NULL, "logs" TEXT, "rolled_back_at" TIMESTAMPTZ,
  "started_at" TIMESTAMPTZ NOT NULL DEFAULT now(), "applied_steps_count" INTEGER NOT NULL DEFAULT 0)`

/** Advisory lock of migrations. An arbitrary number, the same everywhere. */
const MIGRATION_LOCK = 7_066_221
const WAIT_MS = 30_000

type ServerMigrateOptions = {
  /** Called before the first migration while no other process migrates, unless the database is new. */
  before?: (client: pg.Client, place: { schema: string }) => Promise<void>
}

/**
 * Applies all missing migrations to the database behind a URL in one transaction, or none. Counterpart of `migrate`.
 */
export async function migratePostgres(
  url: string,
  migrationsDir: string,
  { before }: ServerMigrateOptions = {},
): Promise<string[]> {
  const all = readMigrations(postgresMigrations(migrationsDir))
  const name = describePostgres(url)
  return withPostgres(url, async (client, { schema }) => {
    if (pending(all, await applied(client), name).length === 0) return []
    await client.query('BEGIN')
    // A copy may take longer than the idle limit of a transaction.
    await client.query('SET LOCAL idle_in_transaction_session_timeout = 0')
    await client.query(`SELECT pg_advisory_xact_lock($1, hashtext($2))`, [MIGRATION_LOCK, schema])
    // Another process may have applied them while this one waited.
    const missing = pending(all, await applied(client), name)
    if (missing.length > 0 && missing.length < all.length) await before?.(client, { schema })
    await client.query(`CREATE SCHEMA IF NOT EXISTS "${schema}"`)
    await client.query(MIGRATIONS_TABLE)
    for (const migration of missing) await applyOne(client, migration)
    await client.query('COMMIT')
    return missing.map((migration) => migration.name)
  })
}

/**
 * Throws unless the database has tables of this version, and returns the names of its migrations; changes nothing.
 * `allowsOlder` accepts an earlier version.
 */
export async function checkPostgres(
  url: string,
  migrationsDir: string,
  { allowsOlder = false }: { allowsOlder?: boolean } = {},
): Promise<string[]> {
  const all = readMigrations(postgresMigrations(migrationsDir))
  const name = describePostgres(url)
  const missing = await withPostgres(url, async (client) =>
    pending(all, await applied(client), name),
  )
  const isNew = missing.length === all.length
  if (missing.length === 0 || (allowsOlder && !isNew))
    return all.filter((one) => !missing.includes(one)).map((one) => one.name)
  const state = isNew ? 'has no tables yet' : 'is from an earlier version of Proofboard'
  const message = `${name} ${state}: start the server once (npm start) to bring it up to date; nothing was touched`
  throw new AppError('database-unusable', message)
}

/** Runs `work` on one connection, in a transaction that is rolled back when it fails. Throws an AppError. */
export async function withPostgres<T>(
  url: string,
  work: (client: pg.Client, place: { schema: string }) => Promise<T>,
): Promise<T> {
  const { schema, ...config } = postgresConfig(url, WAIT_MS, 'command')
  const client = new pg.Client(config)
  // The query that needs the connection reports its failure.
  client.on('error', () => {})
  try {
    await client.connect()
    return await work(client, { schema })
  } catch (error) {
    throw databaseError(error)
  } finally {
    await client.end().catch(() => {})
  }
}

async function applied(client: pg.Client): Promise<Applied[]> {
  const found = await client.query(`SELECT to_regclass('"_prisma_migrations"') AS "table"`)
  if (found.rows[0].table === null) return []
  const columns = 'migration_name, checksum, finished_at, rolled_back_at'
  const { rows } = await client.query<Applied>(`SELECT ${columns} FROM "_prisma_migrations"`)
  return rows
}

async function applyOne(client: pg.Client, { name, sql, checksum }: Migration): Promise<void> {
  const startedAt = new Date()
  await client.query(sql)
  const columns = 'id, checksum, migration_name, started_at, finished_at, applied_steps_count'
  await client.query(
    `INSERT INTO "_prisma_migrations" (${columns}) VALUES ($1, $2, $3, $4, now(), 1)`,
    [randomUUID(), checksum, name, startedAt],
  )
}

/** Returns the folder of PostgreSQL's migrations, beside that of SQLite's. */
export function postgresMigrations(migrationsDir: string): string {
  return join(migrationsDir, '../../postgresql/migrations')
}
