import { closeDatabase, verifyDatabase } from '#lib/db/database.ts'
import { type Moved, moveToServer } from '#lib/db/move-database.ts'
import { env } from '#lib/env.ts'

/**
 * Runs `work` on this server's database for a command that must neither create nor migrate one. `allowsOlder` accepts a
 * database of an earlier version. Throws an AppError.
 */
export async function withServerDatabase<T>(
  work: () => Promise<T>,
  options: { allowsOlder?: boolean } = {},
): Promise<T> {
  await verifyDatabase(options)
  try {
    return await work()
  } finally {
    await closeDatabase()
  }
}

/** Copies the file of this data folder into an empty PostgreSQL database, and verifies the copy. Throws an AppError. */
export function moveDatabase(url: string): Promise<Moved> {
  const { databaseFile, migrationsDir } = env()
  return moveToServer(databaseFile, url, { migrationsDir, now: new Date() })
}
