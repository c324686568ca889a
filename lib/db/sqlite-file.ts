import {
  DatabaseSync,
  type DatabaseSyncInstance,
  type EnhancedDatabaseSync,
  enhance,
} from '@photostructure/sqlite'

/** One connection to a database file, as `node:sqlite` has it, with `pragma`, `transaction` and `pluck`. */
export type SqliteFile = EnhancedDatabaseSync<DatabaseSyncInstance>

/**
 * Opens a database file; a new one is made unless it is only read. `waitMs`: how long a statement blocks while another
 * connection holds the lock. Throws an error with SQLite's `errcode`.
 */
export function openSqlite(
  file: string,
  { readOnly = false, waitMs = 5000 }: { readOnly?: boolean; waitMs?: number } = {},
): SqliteFile {
  return enhance(new DatabaseSync(file, { readOnly, timeout: waitMs }))
}
