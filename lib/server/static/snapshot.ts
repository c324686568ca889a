import { readdirSync, rmSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { copyOwnDatabase } from '#lib/db/move-database.ts'
import { temporaryFolder } from '../care/draft-folder.ts'

/** Files that no page needs, or that this process must not write to. */
const LEFT_OUT =
  /^(?:proofboard\.db|uploads$|logins$|backups$|examples$|agents$|.*\.(?:lock|sock|log)$)/

/**
 * A data folder in the state of this moment, for a server that only renders: a copy of the database, and links to the
 * files beside it. What others write meanwhile is not in it, and what that server writes is thrown away with it.
 */
export async function openSnapshot(
  dataDir: string,
): Promise<{ dataDir: string; close: () => void }> {
  const folder = temporaryFolder('copy')
  const close = () => rmSync(folder, { recursive: true, force: true, maxRetries: 3 })
  try {
    await copyOwnDatabase(join(folder, 'proofboard.db'))
    for (const name of readdirSync(dataDir)) {
      if (!LEFT_OUT.test(name)) symlinkSync(join(dataDir, name), join(folder, name))
    }
  } catch (error) {
    close()
    throw error
  }
  return { dataDir: folder, close }
}
