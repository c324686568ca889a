import type { Database } from 'better-sqlite3'
import { checkMigrated, readOnly } from './migrate.ts'

/** Every row that published numbers rest on, exactly as the file holds it. */
export type Kept = {
  /** What SQLite itself finds wrong with the file, in its words. */
  damage: string[]
  ledger: Row[]
  suites: Row[]
  tasks: Row[]
  plans: Row[]
  runs: Row[]
  episodes: Row[]
  boards: Row[]
  subjects: Row[]
  submissions: Row[]
  submittedRuns: Row[]
  audit: Row[]
  evaluations: Row[]
}

/** Column name → value: text, number or null. */
export type Row = Readonly<Record<string, unknown>>

/**
 * Reads a server's database without migrating or changing it, in one state. Nothing is parsed: whoever checks wants to
 * see each byte. Throws an AppError when there is no database or it is of another version.
 */
export function readKept(file: string, migrationsDir: string): Kept {
  checkMigrated(file, migrationsDir)
  return readOnly(file, (db) => ({
    damage: findDamage(db),
    ledger: all(db, 'LedgerEntry', 'sequence'),
    suites: all(db, 'Suite', 'suiteId, digest'),
    tasks: all(db, 'Task', 'suiteDigest, position'),
    plans: all(db, 'Plan', 'planDigest'),
    runs: all(db, 'Run', 'runId'),
    episodes: all(db, 'Episode', 'runId, taskId, repetition, attempt'),
    evaluations: all(db, 'Evaluation', 'episodeId, number'),
    boards: all(db, 'BoardSnapshot', 'suiteId, suiteDigest'),
    subjects: all(db, 'Subject', 'id'),
    submissions: all(db, 'Submission', 'receivedAt, id'),
    submittedRuns: all(db, 'SubmittedRun', 'runId, submissionId'),
    audit: all(db, 'AuditEntry', 'id'),
  }))
}

/** The ledger's rows alone. */
export function readKeptLedger(file: string, migrationsDir: string): Row[] {
  checkMigrated(file, migrationsDir)
  return readOnly(file, (db) => all(db, 'LedgerEntry', 'sequence'))
}

function findDamage(db: Database): string[] {
  const rows = db.pragma('integrity_check(10)') as { integrity_check: string }[]
  return rows.map((row) => row.integrity_check).filter((text) => text !== 'ok')
}

function all(db: Database, table: string, order: string): Row[] {
  return db.prepare(`SELECT * FROM "${table}" ORDER BY ${order}`).all() as Row[]
}

/** An instant as it stands in a column. */
export function storedInstant(instant: Date | string): string {
  return new Date(instant).toISOString().replace('Z', '+00:00')
}
