import { chmodSync, type Dirent, lstatSync, mkdirSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { explainDataFolder } from '#lib/setup/folders.mjs'
import { AppError } from './errors.ts'

const OF_OTHERS = 0o077
/** Installed agents and images hold no secret, and a sandbox shows them to users that own nothing here. */
const SHARED = new Set(['agents', 'images'])

/**
 * Keeps what this process writes to itself, and closes a data folder that an earlier version left open to others:
 * database, auth secret, runs, uploads and logs. Folders become 0700, files 0600. Throws an AppError where it cannot be made.
 */
export function closeDataFolder(dataDir: string): void {
  process.umask(OF_OTHERS)
  const problem = explainDataFolder(dataDir)
  if (problem !== null) throw new AppError('database-unusable', problem)
  make(dataDir)
  const entries = list(dataDir).filter(({ name }) => !SHARED.has(name))
  const paths = [dataDir, ...entries.map(({ name }) => join(dataDir, name))]
  if (!paths.some(isOpen)) return
  close(dataDir) // first, so that no other user gets in meanwhile
  for (const entry of entries) closeTree(dataDir, entry)
}

function make(dataDir: string): void {
  try {
    mkdirSync(dataDir, { recursive: true })
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    const message = `the data folder ${dataDir} cannot be made: ${why}; see PROOFBOARD_DATA_DIR`
    throw new AppError('database-unusable', message, { cause: error })
  }
}

function closeTree(folder: string, entry: Dirent): void {
  const path = join(folder, entry.name)
  close(path)
  if (entry.isDirectory()) for (const below of list(path)) closeTree(path, below)
}

/** Takes away what group and others may do; a link is left alone, and so is what went away or is not ours. */
function close(path: string): void {
  try {
    const { mode } = lstatSync(path)
    if (isOpen(path)) chmodSync(path, mode & 0o700)
  } catch (error) {
    if (!isHarmless(error)) throw error
  }
}

function isOpen(path: string): boolean {
  const found = lstatSync(path, { throwIfNoEntry: false })
  return found !== undefined && !found.isSymbolicLink() && (found.mode & OF_OTHERS) !== 0
}

function list(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true })
  } catch (error) {
    if (isHarmless(error)) return []
    throw error
  }
}

/** Another process may remove a file while we look; what is another user's, or read-only, cannot be changed by us. */
function isHarmless(error: unknown): boolean {
  const { code } = error as NodeJS.ErrnoException
  return code === 'ENOENT' || code === 'EPERM' || code === 'EACCES' || code === 'EROFS'
}
