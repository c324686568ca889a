import { closeDatabase, verifyDatabase } from '#lib/db/database.ts'

/** Work on this server's database by a command that must neither make nor migrate one. Throws an AppError. */
export async function withServerDatabase<T>(work: () => Promise<T>): Promise<T> {
  verifyDatabase()
  try {
    return await work()
  } finally {
    await closeDatabase()
  }
}
