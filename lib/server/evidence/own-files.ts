import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { env } from '../../env.ts'
import { evidenceStore } from './configured-store.ts'
import { readLeftOut } from './left-out.ts'

/** Returns whether the files of an episode's directory should be in the data folder; null = no directory. */
export type IsHere = (directory: string | null) => boolean

/**
 * Returns a check of which files a data folder should have: not those left out by a restore, and not those of another
 * machine that shares the database but not the disk. Null = all files.
 */
export function findOwnFiles(dataDir = env().dataDir): IsHere | null {
  const { evidence } = readLeftOut(dataDir)
  const isOneOfSeveral = isShared(dataDir) && evidenceStore(dataDir).kind === 'disk'
  if (!isOneOfSeveral && Object.keys(evidence).length === 0) return null
  return (directory) => {
    if (directory === null) return true
    if (Object.hasOwn(evidence, directory)) return false
    return !isOneOfSeveral || isFolder(join(dataDir, directory))
  }
}

/** Returns whether other machines may use the database of a data folder too. */
function isShared(dataDir: string): boolean {
  const { database, databaseFile, dataDir: own } = env()
  return dataDir === own && database !== databaseFile
}

function isFolder(folder: string): boolean {
  return existsSync(folder)
}

/** Explains, as the end of a sentence, why evidence is not in this data folder. */
export function whyElsewhere(directory: string, dataDir = env().dataDir): string {
  const { evidence, restored } = readLeftOut(dataDir)
  return restored && Object.hasOwn(evidence, directory)
    ? 'it was left out of the backup that this board was restored from'
    : 'each machine of this board stores the files of the episodes that it ran or received; open the board there'
}
