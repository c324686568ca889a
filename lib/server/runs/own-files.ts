import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { DbOrTx } from '../../db/db.ts'
import { isShared } from '../../db/dialect.ts'
import { env } from '../../env.ts'
import { evidenceStore } from '../evidence/configured-store.ts'
import { noteRead } from '../evidence/noted-reads.ts'

/** Whether the files of an episode's directory are on this host; null = no directory. */
type IsHere = (directory: string | null) => boolean

/**
 * Tells which files are on this host, where several share the database and each has evidence on a disk of its own: what
 * another one has is not missing. Null = every host finds the files of all.
 */
export function findOwnFiles(db: DbOrTx): IsHere | null {
  if (!isShared(db) || evidenceStore().kind !== 'disk') return null
  const { dataDir } = env()
  return (directory) => {
    if (directory === null) return true
    const folder = join(dataDir, directory)
    noteRead(folder)
    return existsSync(folder)
  }
}
