import { rmSync, writeFileSync } from 'node:fs'
import type pg from 'pg'
import { countOf } from '#lib/domain/text/index.ts'
import { env } from '../env.ts'
import { AppError } from '../errors.ts'
import { copyDatabase, explainCopy } from './copy-database.ts'
import { databaseError } from './database-error.ts'
import { checkMigrated, migrate } from './migrate.ts'
import { checkPostgres, migratePostgres, withPostgres } from './postgres/migrate-postgres.ts'
import { describePostgres, isPostgresUrl } from './postgres/postgres-url.ts'
import {
  insertIntoFile,
  insertIntoServer,
  listTables,
  RowDigest,
  readFileRows,
  readServerRows,
  type Table,
  type TableFacts,
} from './postgres/table-copies.ts'
import { readFileHeartbeats } from './running-processes.ts'
import { openSqlite, type SqliteFile } from './sqlite-file.ts'

export type Moved = { tables: TableFacts[]; migrated: string[] }

/** Table with rows in every new database. */
const SEEDED = 'Change'

/**
 * Copies a database file into an empty PostgreSQL database, and compares every table by count and digest before the
 * commit. One transaction, so a failed move leaves nothing and can be repeated. The file is not changed and must not be
 * written meanwhile. Throws an AppError.
 */
export async function moveToServer(
  file: string,
  url: string,
  { migrationsDir, now }: { migrationsDir: string; now: Date },
): Promise<Moved> {
  if (!isPostgresUrl(url) || !URL.canParse(url)) {
    const message = 'expected --to postgresql://user:password@host:5432/name: nothing was written'
    throw new AppError('invalid-request', message)
  }
  checkMigrated(file, migrationsDir)
  const source = openSqlite(file, { waitMs: 2000 })
  try {
    source.exec('BEGIN IMMEDIATE')
    refuseWorker(source, now)
    const migrated = await migratePostgres(url, migrationsDir)
    const tables = await withPostgres(url, (client, { schema }) =>
      fillServer(source, client, { schema, name: describePostgres(url) }),
    )
    return { tables, migrated }
  } catch (error) {
    throw databaseError(error)
  } finally {
    source.close()
  }
}

function refuseWorker(source: SqliteFile, now: Date): void {
  if (readFileHeartbeats(source, now).size === 0) return
  const message = 'a worker uses this database: stop the server first; nothing was written'
  throw new AppError('conflict', message)
}

async function fillServer(
  source: SqliteFile,
  client: pg.Client,
  { schema, name }: { schema: string; name: string },
): Promise<TableFacts[]> {
  const tables = await listTables(client, schema)
  await client.query('BEGIN')
  for (const table of tables) {
    await client.query(`LOCK TABLE "${table.name}" IN ACCESS EXCLUSIVE MODE`)
    if (table.name !== SEEDED) await refuseFilled(client, table, name)
    await client.query(`ALTER TABLE "${table.name}" DISABLE TRIGGER USER`)
  }
  await client.query(`DELETE FROM "${SEEDED}"`)
  const copied: TableFacts[] = []
  for (const table of tables) {
    const facts = await insertIntoServer(client, table, readFileRows(source, table))
    refuseDifference(facts, await digestServer(client, table))
    copied.push(facts)
    if (table.serial !== null)
      await client.query(
        `SELECT setval(pg_get_serial_sequence($1, $2), GREATEST(MAX("${table.serial}"), 1), MAX("${table.serial}") IS NOT NULL) FROM "${table.name}"`,
        [`"${schema}"."${table.name}"`, table.serial],
      )
  }
  for (const { name: table } of tables)
    await client.query(`ALTER TABLE "${table}" ENABLE TRIGGER USER`)
  await client.query('COMMIT')
  return copied
}

async function refuseFilled(client: pg.Client, table: Table, name: string): Promise<void> {
  const { rowCount } = await client.query(`SELECT 1 FROM "${table.name}" LIMIT 1`)
  if (rowCount === 0) return
  const message = `${name} is not empty (${table.name} has rows): nothing was written; choose an empty database`
  throw new AppError('conflict', message)
}

async function digestServer(client: pg.Client, table: Table): Promise<TableFacts> {
  const digest = new RowDigest()
  for await (const row of readServerRows(client, table)) digest.add(row)
  return digest.facts(table.name)
}

function refuseDifference(sent: TableFacts, written: TableFacts): void {
  if (sent.rows === written.rows && sent.digest === written.digest) return
  const message = `${sent.table} differs after it was copied (${countOf(sent.rows, 'row')} sent, ${written.rows} written): nothing was written`
  throw new AppError('database-unusable', message)
}

/**
 * Copies a PostgreSQL database, of this or an earlier version, into a new database file, in one state while others go
 * on writing: checks, backups and the static copy read this file. Compared table by table. Throws an AppError.
 */
export async function copyToFile(
  url: string,
  file: string,
  migrationsDir: string,
): Promise<TableFacts[]> {
  const migrations = await checkPostgres(url, migrationsDir, { allowsOlder: true })
  // Only its owner can read it, because it contains password hashes.
  writeFileSync(file, '', { flag: 'wx', mode: 0o600 })
  try {
    // Both kinds of databases use the same migration names: a copy has the version of its source.
    migrate(file, migrationsDir, { until: migrations.at(-1) })
    return await withPostgres(url, (client, { schema }) => fillFile(client, schema, file))
  } catch (error) {
    for (const suffix of ['', '-wal', '-shm']) rmSync(`${file}${suffix}`, { force: true })
    throw explainCopy(error)
  }
}

async function fillFile(client: pg.Client, schema: string, file: string): Promise<TableFacts[]> {
  await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY')
  const target = openSqlite(file)
  try {
    target.pragma('foreign_keys = OFF')
    target.exec('BEGIN IMMEDIATE')
    const triggers = target
      .prepare(`SELECT "name", "sql" FROM sqlite_master WHERE "type" = 'trigger'`)
      .all()
    for (const { name } of triggers as { name: string }[]) target.exec(`DROP TRIGGER "${name}"`)
    target.exec(`DELETE FROM "${SEEDED}"`)
    const copied: TableFacts[] = []
    for (const table of await listTables(client, schema)) {
      const facts = await insertIntoFile(target, table, readServerRows(client, table))
      const written = new RowDigest()
      for (const row of readFileRows(target, table)) written.add(row)
      refuseDifference(facts, written.facts(table.name))
      copied.push(facts)
    }
    for (const { sql } of triggers as { sql: string }[]) target.exec(sql)
    target.exec('COMMIT')
    target.pragma('journal_mode = DELETE')
    return copied
  } finally {
    target.close()
  }
}

/** Writes this server's database into a new file, in one state, while others go on writing. Throws an AppError. */
export async function copyOwnDatabase(to: string): Promise<void> {
  const { database: place, databaseFile, migrationsDir } = env()
  if (place === databaseFile) copyDatabase(databaseFile, to)
  else await copyToFile(place, to, migrationsDir)
}
