import { chmodSync, type Dirent, lstatSync, mkdirSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { explainDataFolder } from '#lib/setup/folders.mjs'
import { AppError } from './errors.ts'

const OF_OTHERS = 0o077
/** Agents and images contain no secrets, and sandboxes expose them to users without rights here. */
const SHARED = new Set(['agents', 'images'])

/**
 * Restricts new files of this process to its user, and a data folder that an earlier version left readable by others:
 * database, auth secret, runs, uploads and logs. Folders become 0700, files 0600. Throws an AppError when the folder
 * cannot be created.
 */
export function closeDataFolder(dataDir: string): void {
  process.umask(OF_OTHERS)
  const problem = explainDataFolder(dataDir)
  if (problem !== null) throw new AppError('database-unusable', problem)
  make(dataDir)
  const entries = list(dataDir).filter(({ name }) => !SHARED.has(name))
  const paths = [dataDir, ...entries.map(({ name }) => join(dataDir, name))]
  if (!paths.some(isOpen)) return
  close(dataDir) // first, so that no other user enters meanwhile
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

/** Removes the permissions of group and others. Skips links, removed files and files of other users. */
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

/**
 * Returns whether an error can be ignored: another process removed the file, or it belongs to another user or is
 * read-only.
 */
function isHarmless(error: unknown): boolean {
  const { code } = error as NodeJS.ErrnoException
  return code === 'ENOENT' || code === 'EPERM' || code === 'EACCES' || code === 'EROFS'
}
