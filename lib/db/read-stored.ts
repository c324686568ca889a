import { joinStoredBoard } from '../domain/board/index.ts'
import { type EvidenceFile, evidenceFileSchema } from '../domain/record/index.ts'
import { checkMigrated, readOnly } from './migrate.ts'
import { eachRow, type SqliteFile } from './sqlite-file.ts'
import { unpackEnvelope } from './stored-episode.ts'

/** Every row that published numbers depend on, exactly as stored in the file. */
export type StoredTables = ReturnType<typeof readStoredRows>

/** Column values by name: text, number or null. */
export type DatabaseRow = Readonly<Record<string, unknown>>

/**
 * Reads a database without migrating or changing it, in one state. Nothing is parsed, so that a check compares every
 * byte. Throws an AppError when the database is missing or has another version.
 */
export function readStoredRows(file: string, migrationsDir: string) {
  checkMigrated(file, migrationsDir)
  return readOnly(file, (db) => ({
    /** Problems that SQLite's check reports, in its words. */
    damage: findDamage(db),
    ledger: all(db, 'LedgerEntry', 'sequence'),
    suites: all(db, 'Suite', 'suiteId, digest'),
    tasks: all(db, 'Task', 'suiteDigest, position'),
    plans: all(db, 'Plan', 'planDigest'),
    runs: all(db, 'Run', 'runId'),
    episodes: all(db, 'Episode', 'runId, taskId, repetition, attempt'),
    evaluations: all(db, 'Evaluation', 'episodeId, number'),
    regrades: all(db, 'Regrade', 'runId, at, digest'),
    boards: listBoards(db),
    subjects: all(db, 'Subject', 'id'),
    submissions: all(db, 'Submission', 'receivedAt, id'),
    submittedRuns: all(db, 'SubmittedRun', 'runId, submissionId'),
    audit: all(db, 'AuditEntry', 'id'),
  }))
}

/** Reads only the ledger's rows. */
export function readLedgerRows(file: string, migrationsDir: string): DatabaseRow[] {
  checkMigrated(file, migrationsDir)
  return readOnly(file, (db) => all(db, 'LedgerEntry', 'sequence'))
}

function findDamage(db: SqliteFile): string[] {
  const rows = db.pragma('integrity_check(10)') as { integrity_check: string }[]
  return rows.map((row) => row.integrity_check).filter((text) => text !== 'ok')
}

function all(db: SqliteFile, table: string, order: string): DatabaseRow[] {
  return db.prepare(`SELECT * FROM "${table}" ORDER BY ${order}`).all() as DatabaseRow[]
}

/** Lists boards as one text each, joined from their separately stored rows. */
function listBoards(db: SqliteFile): DatabaseRow[] {
  const texts = new Map(
    all(db, 'BoardRow', 'suiteDigest, rowId').map(({ suiteDigest, rowId, text }) => [
      `${suiteDigest} ${rowId}`,
      String(text),
    ]),
  )
  return all(db, 'BoardSnapshot', 'suiteId, suiteDigest').map((row) => {
    const rowOrder = typeof row.rowOrder === 'string' ? row.rowOrder : null
    const parts = { board: String(row.board), rowOrder, digest: String(row.digest) }
    const textOf = (rowId: string) => texts.get(`${row.suiteDigest} ${rowId}`)
    // A board that cannot be joined is returned as stored, and so differs from every rebuilt board.
    return { ...row, board: joinStoredBoard(parts, textOf) ?? row.board }
  })
}

/** Formats an instant as stored in a column. */
export function storedInstant(instant: Date | string): string {
  return new Date(instant).toISOString().replace('Z', '+00:00')
}

type StoredFolder = {
  episodeId: string
  runId: string
  /** Relative to the data folder. */
  directory: string
  envelope: string
  evidence: EvidenceFile[]
}

/** Calls `visit` with every episode of a database file whose evidence folder is known. */
export function eachStoredFolder(file: string, visit: (folder: StoredFolder) => void): void {
  readOnly(file, (db) => {
    const statement = db.prepare(
      'SELECT "episodeId", "runId", "directory", "envelope" FROM "Episode" WHERE "directory" IS NOT NULL ORDER BY "directory"',
    )
    for (const row of eachRow<Omit<StoredFolder, 'evidence'>>(statement)) {
      const envelope = unpackEnvelope(row.envelope)
      const { evidence } = JSON.parse(envelope) as { evidence: unknown }
      visit({ ...row, envelope, evidence: evidenceFileSchema.array().parse(evidence) })
    }
  })
}

type OpenRun = { runId: string; plan: string }

/** Lists the runs of a database file whose job has not ended, with their frozen plans. */
export function listOpenRuns(file: string): OpenRun[] {
  return readOnly(file, (db) => {
    const sql = `SELECT "Run"."runId", "Plan"."document" AS plan FROM "Job"
      JOIN "Run" ON "Run"."runId" = "Job"."runId" JOIN "Plan" ON "Plan"."planDigest" = "Run"."planDigest"
      WHERE "Job"."status" IN ('queued', 'running')`
    return db.prepare(sql).all() as OpenRun[]
  })
}

/** Lists the ids of all runs in a database file. */
export function listStoredRunIds(file: string): string[] {
  return readOnly(file, (db) => db.prepare('SELECT "runId" FROM "Run"').pluck().all() as string[])
}

/** Lists paths that retention removed; empty for a database that predates retention. */
export function listPrunedPaths(file: string): Set<string> {
  return readOnly(file, (db) => {
    const has = db.prepare(`SELECT 1 FROM sqlite_master WHERE name = 'PrunedFile'`).get()
    return new Set(
      has ? (db.prepare('SELECT "path" FROM "PrunedFile"').pluck().all() as string[]) : [],
    )
  })
}

/** Returns the paths that retention removed, with time and reason. */
export function listPrunedNotes(file: string): Map<string, { prunedAt: string; reason: string }> {
  if (listPrunedPaths(file).size === 0) return new Map()
  return readOnly(file, (db) => {
    const rows = db.prepare('SELECT "path", "prunedAt", "reason" FROM "PrunedFile"').all()
    return new Map(
      (rows as { path: string; prunedAt: string; reason: string }[]).map((row) => {
        const prunedAt = new Date(row.prunedAt).toISOString()
        return [row.path, { prunedAt, reason: row.reason }]
      }),
    )
  })
}

/** Formats a column's instant as in the API; null = the column is empty. */
export function readInstant(value: unknown): string | null {
  const instant = new Date(String(value))
  return Number.isNaN(instant.getTime()) ? null : instant.toISOString()
}
