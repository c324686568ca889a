import { createHash, randomUUID } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { countOf } from '#lib/domain/text/index.ts'
import { AppError } from '../errors.ts'
import { databaseError, inUse, isBusy } from './database-error.ts'
import { openSqlite, type SqliteFile } from './sqlite-file.ts'

export type Migration = { name: string; sql: string; checksum: string }
export type Applied = {
  migration_name: string
  checksum: string
  finished_at: unknown
  rolled_back_at: unknown
}

/** Table of Prisma's own commands, so that they work on the same database. */
const MIGRATIONS_TABLE = `CREATE TABLE IF NOT EXISTS "_prisma_migrations" (
  "id" TEXT PRIMARY KEY NOT NULL, "checksum" TEXT NOT NULL, "finished_at" DATETIME, "migration_name" TEXT NOT NULL,
  "logs" TEXT, "rolled_back_at" DATETIME, "started_at" DATETIME NOT NULL DEFAULT current_timestamp,
  "applied_steps_count" INTEGER UNSIGNED NOT NULL DEFAULT 0)`

type MigrateOptions = {
  /** The last migration to apply; default: the newest. */
  until?: string | undefined
  /** Called on the locked database before the first migration, unless the database is new. */
  before?: (db: SqliteFile) => void
}

/**
 * Applies missing migrations to a database file, all of them or none, and returns their names. Safe in several
 * processes at once. Throws before any change when the database is from a newer version or another process has it open.
 */
export function migrate(
  file: string,
  migrationsDir: string,
  { until, before }: MigrateOptions = {},
): string[] {
  const all = readMigrations(migrationsDir).filter(
    ({ name }) => until === undefined || name <= until,
  )
  try {
    mkdirSync(dirname(file), { recursive: true })
    const missing = existsSync(file) ? readonly(file, (db) => pending(all, applied(db), file)) : all
    if (missing.length === 0) return []
    if (missing.length === all.length)
      return writable(file, CREATE_MS, (db) => applyAll(db, all, file))
    return writable(file, ALONE_MS, (db) => {
      lockAlone(db, file)
      before?.(db)
      return applyAll(db, all, file)
    })
  } catch (error) {
    throw databaseError(error)
  }
}

/** Returns whether a database file lacks some of the migrations. */
export function isOlder(file: string, migrationsDir: string): boolean {
  const all = readMigrations(migrationsDir)
  const missing = readOnly(file, (db) => pending(all, applied(db), file))
  return missing.length > 0 && missing.length < all.length
}

/** Locks out every other connection, including readers. SQLite grants the lock only when there is none. */
function lockAlone(db: SqliteFile, file: string): void {
  try {
    db.pragma('locking_mode = EXCLUSIVE')
    db.exec('BEGIN EXCLUSIVE; COMMIT')
  } catch (error) {
    throw isBusy(error) ? inUse(file) : error
  }
}

/** Throws an AppError unless the database exists and has this version; changes nothing. */
export function checkMigrated(
  file: string,
  migrationsDir: string,
  { allowsOlder = false }: { allowsOlder?: boolean } = {},
): void {
  if (isUnreadable(file)) {
    const message = `${file} cannot be read by this user: run this as the owner of the data directory`
    throw new AppError('database-unusable', message)
  }
  if (!existsSync(file)) {
    const message = `there is no database at ${file}: start the server once (npm start), or set PROOFBOARD_DATA_DIR to its data directory`
    throw new AppError('not-found', message)
  }
  const missing = readOnly(file, (db) => pending(readMigrations(migrationsDir), applied(db), file))
  if (missing.length === 0 || allowsOlder) return
  const message = `${file} is from an earlier version of Proofboard: start the server once (npm start) to bring it up to date; nothing was touched`
  throw new AppError('database-unusable', message)
}

/** Returns whether the folder is unreadable for this user, and so looks empty. */
function isUnreadable(file: string): boolean {
  try {
    statSync(file, { throwIfNoEntry: false })
    return false
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EACCES'
  }
}

/** Reads a database file in one state, even while others write, and changes nothing. */
export function readOnly<T>(file: string, work: (db: SqliteFile) => T): T {
  try {
    return readonly(file, (db) => db.transaction(() => work(db))())
  } catch (error) {
    throw databaseError(error)
  }
}

/** Reads all migrations of a folder, oldest first. */
export function readMigrations(dir: string): Migration[] {
  return listMigrationNames(dir).map((name) => {
    const sql = readFileSync(join(dir, name, 'migration.sql'), 'utf8')
    return { name, sql, checksum: createHash('sha256').update(sql).digest('hex') }
  })
}

/** Lists the names of all migrations of a folder, oldest first. */
export function listMigrationNames(dir: string): string[] {
  return readdirSync(dir, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name)
    .sort()
}

function readonly<T>(file: string, work: (db: SqliteFile) => T): T {
  const db = openSqlite(file, { readOnly: true, waitMs: 10_000 })
  try {
    return work(db)
  } finally {
    db.close()
  }
}

/** Timeout while several processes create a database at once: all but the first wait. */
const CREATE_MS = 30_000
/** Timeout for commands that only read, which end soon. */
const ALONE_MS = 2000

function writable<T>(file: string, waitMs: number, work: (db: SqliteFile) => T): T {
  const db = openSqlite(file, { waitMs })
  try {
    // Set before the transaction, where it has no effect: redefining a table drops it, which would delete its
    // children's rows.
    db.pragma('foreign_keys = OFF')
    return work(db)
  } finally {
    db.close()
  }
}

function applied(db: SqliteFile): Applied[] {
  const has = db.prepare(`SELECT 1 FROM sqlite_master WHERE name = '_prisma_migrations'`).get()
  if (!has) return []
  const columns = 'migration_name, checksum, finished_at, rolled_back_at'
  return db.prepare(`SELECT ${columns} FROM "_prisma_migrations"`).all() as Applied[]
}

/**
 * Returns the migrations that a database lacks; throws for one that is newer, half-done or changed. `file` names it in
 * messages.
 */
export function pending(
  all: readonly Migration[],
  rows: readonly Applied[],
  file: string,
): Migration[] {
  const refuse = (code: AppError['code'], message: string) =>
    new AppError(code, `${file}: ${message}`)
  const standing = rows.filter((row) => !row.rolled_back_at)
  const checksums = new Map(all.map(({ name, checksum }) => [name, checksum]))
  for (const { migration_name: name, checksum, finished_at } of standing) {
    if (!checksums.has(name)) {
      const message = `the database is from a newer version of Proofboard (migration ${name} is unknown here); nothing was touched: update Proofboard, or choose another database (PROOFBOARD_DATA_DIR, DATABASE_URL)`
      throw refuse('database-newer', message)
    }
    if (!finished_at) {
      throw refuse(
        'database-unusable',
        `migration ${name} was left half-done by another tool: restore a copy`,
      )
    }
    if (checksums.get(name) !== checksum) {
      throw refuse(
        'database-unusable',
        `migration ${name} was changed after it was applied: restore its file`,
      )
    }
  }
  const done = new Set(standing.map((row) => row.migration_name))
  return all.filter(({ name }) => !done.has(name))
}

function applyAll(db: SqliteFile, all: readonly Migration[], file: string): string[] {
  db.pragma('journal_mode = WAL')
  const apply = db.transaction(() => {
    db.exec(MIGRATIONS_TABLE)
    const names: string[] = []
    for (const migration of pending(all, applied(db), file)) {
      applyOne(db, migration)
      names.push(migration.name)
    }
    return names
  })
  return apply.exclusive()
}

function applyOne(db: SqliteFile, { name, sql, checksum }: Migration): void {
  const startedAt = timestamp()
  db.exec(sql)
  const broken = db.pragma('foreign_key_check') as unknown[]
  if (broken.length > 0)
    throw new Error(`migration ${name} leaves ${countOf(broken.length, 'broken reference')}`)
  const columns = 'id, checksum, migration_name, started_at, finished_at, applied_steps_count'
  const insert = db.prepare(
    `INSERT INTO "_prisma_migrations" (${columns}) VALUES (?, ?, ?, ?, ?, 1)`,
  )
  insert.run(randomUUID(), checksum, name, startedAt, timestamp())
}

/** Formats the time as Prisma writes it into SQLite. */
function timestamp(): string {
  return new Date().toISOString().replace('Z', '+00:00')
}
