import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { isShared } from '../../db/dialect.ts'
import type { DbOrTx } from '../../db/open-db.ts'
import { env } from '../../env.ts'
import { evidenceStore } from '../evidence/configured-store.ts'

/** Whether the files of an episode's directory are on this host; null = no directory. */
type IsHere = (directory: string | null) => boolean

/**
 * Tells which files are on this host, where several share the database and each has evidence on a disk of its own: what
 * another one has is not missing. Null = every host finds the files of all.
 */
export function findOwnFiles(db: DbOrTx): IsHere | null {
  if (!isShared(db) || evidenceStore().kind !== 'disk') return null
  const { dataDir } = env()
  return (directory) => directory === null || existsSync(join(dataDir, directory))
}
