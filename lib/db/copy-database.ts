import { closeSync, fsyncSync, openSync, writeFileSync } from 'node:fs'
import { AppError } from '#lib/errors.ts'
import { databaseError } from './database-error.ts'
import { migrate, readOnly } from './migrate.ts'
import { openSqlite, type SqliteFile } from './sqlite-file.ts'

/**
 * Writes a copy of a database into a new file, in one state, while others go on reading and writing: it uses one read
 * transaction, so a busy writer cannot make it start again. The copy contains password hashes, so only its owner can
 * read it.
 */
export function copyDatabase(from: string, to: string): void {
  try {
    const db = openSqlite(from, { readOnly: true, waitMs: 10_000 })
    try {
      writeCopy(db, to)
    } finally {
      db.close()
    }
  } catch (error) {
    throw explainCopy(error)
  }
}

/** Writes a copy of an open database. */
export function writeCopy(db: SqliteFile, to: string): void {
  try {
    writeFileSync(to, '', { flag: 'wx', mode: 0o600 })
    db.prepare('VACUUM INTO ?').run(to)
    sync(to)
  } catch (error) {
    throw explainCopy(error)
  }
}

/** SQLite's result code. The extended code is not always available. */
const IO_ERROR = 10
const RESULT_CODE = 0xff

/** Names a full disk: SQLite reports "I/O error" when the new file cannot grow, since the old one is only read. */
export function explainCopy(error: unknown): unknown {
  const { errcode } = error as { errcode?: number }
  if (errcode === undefined || (errcode & RESULT_CODE) !== IO_ERROR) return databaseError(error)
  return new AppError('disk-full', 'the copy of the database could not be written whole', {
    cause: error,
  })
}

/** Migrates a restored file to this version and sets the journal mode that servers use. */
export function readyDatabase(file: string, migrationsDir: string): string[] {
  const applied = migrate(file, migrationsDir)
  try {
    const db = openSqlite(file)
    try {
      db.pragma('journal_mode = WAL')
      db.pragma('wal_checkpoint(TRUNCATE)')
    } finally {
      db.close()
    }
    sync(file)
  } catch (error) {
    throw databaseError(error)
  }
  return applied
}

export type DatabaseFacts = {
  migrations: string[]
  counts: { runs: number; episodes: number; ledgerEntries: number; jobs: number; users: number }
  ledgerHead: { sequence: number; hash: string } | null
}

/** Counts the rows of a database file of any version; tables that it lacks count 0. */
export function describeDatabase(file: string): DatabaseFacts {
  return readOnly(file, (db) => {
    const has = db.prepare(`SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = ?`)
    const count = (table: string) =>
      has.get(table) ? Number(db.prepare(`SELECT COUNT(*) FROM "${table}"`).pluck().get()) : 0
    const names = 'SELECT migration_name FROM "_prisma_migrations" ORDER BY migration_name'
    const head = 'SELECT sequence, hash FROM "LedgerEntry" ORDER BY sequence DESC LIMIT 1'
    const last = has.get('LedgerEntry') ? db.prepare(head).get() : undefined
    return {
      migrations: has.get('_prisma_migrations')
        ? (db.prepare(names).pluck().all() as string[])
        : [],
      counts: {
        runs: count('Run'),
        episodes: count('Episode'),
        ledgerEntries: count('LedgerEntry'),
        jobs: count('Job'),
        users: count('User'),
      },
      ledgerHead: (last as DatabaseFacts['ledgerHead'] | undefined) ?? null,
    }
  })
}

function sync(file: string): void {
  const handle = openSync(file, 'r+')
  try {
    fsyncSync(handle)
  } finally {
    closeSync(handle)
  }
}
