import { rmSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { copyOwnDatabase } from '../../db/move-database.ts'
import { env } from '../../env.ts'
import { temporaryFolder } from './draft-folder.ts'

/**
 * Runs `work` on the file of a data folder's database; for this server's own board on PostgreSQL on a copy of its
 * current state, which is removed afterwards. Throws an AppError.
 */
export async function withStoredFile<T>(dataDir: string, work: (file: string) => T): Promise<T> {
  const { database: place, databaseFile, dataDir: own } = env()
  if (place === databaseFile || resolve(dataDir) !== own)
    return work(join(dataDir, 'proofboard.db'))
  const folder = temporaryFolder('state')
  try {
    const copy = join(folder, 'proofboard.db')
    await copyOwnDatabase(copy)
    return work(copy)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
