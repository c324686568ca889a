import { readFileSync, rmSync, statSync } from 'node:fs'
import { join, relative, resolve } from 'node:path'
import { type BackupManifest, backupManifestSchema } from '../../domain/archive/index.ts'
import { env } from '../../env.ts'
import { AppError } from '../../errors.ts'
import { copyBytes, type MeasuredFile, measureBytes, openFile } from '../evidence/byte-reader.ts'
import { draftOf, namesIn, removeDrafts } from './draft-folder.ts'

export const BACKUP_MANIFEST = 'manifest.json'
export const DATABASE = 'proofboard.db'
export const SECRET = 'auth-secret'

const WHOLE = /^proofboard-\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d-\d{3}Z$/
const DRAFT = /^\.proofboard-./

/** Returns the folder for backups, by default in the data folder. */
export function backupFolder(to: string | null = null): string {
  const { dataDir, runsDir, suitesDir } = env()
  const place = to === null ? join(dataDir, 'backups') : resolve(/* turbopackIgnore: true */ to)
  const isInside = (folder: string) => !relative(folder, place).startsWith('..')
  if ([runsDir, suitesDir].some(isInside) || place === dataDir) {
    throw new AppError(
      'invalid-request',
      `${place} contains this server's own data: choose another --to`,
    )
  }
  return place
}

/** Formats a backup's folder name from its instant, so that names sort by age. */
export function backupName(now: Date): string {
  return `proofboard-${now.toISOString().replaceAll(/[:.]/g, '-')}`
}

/**
 * Returns the folder in which a backup is written until it is complete. A later backup removes drafts of a killed
 * process.
 */
export function backupDraft(place: string, name: string): string {
  return draftOf(join(/* turbopackIgnore: true */ place, `.${name}`))
}

export type BackupSummary = Pick<BackupManifest, 'createdAt' | 'version' | 'counts' | 'holds'> & {
  name: string
  folder: string
  bytes: number
}

/** Lists the complete backups in a folder, newest first; skips anything else. */
export function listBackups(folder: string): BackupSummary[] {
  return namesIn(folder)
    .filter((name) => WHOLE.test(name))
    .sort()
    .reverse()
    .flatMap((name) => {
      const manifest = readQuietly(join(folder, name))
      if (!manifest) return []
      const { createdAt, version, counts, holds, files } = manifest
      const bytes = files.reduce((sum, file) => sum + file.bytes, 0)
      return { name, folder: join(folder, name), createdAt, version, counts, holds, bytes }
    })
}

/**
 * Removes drafts whose process is gone, and the oldest complete backups beyond `keep` (null = none); returns the names
 * of the removed backups.
 */
export function removeOldBackups(folder: string, keep: number | null): string[] {
  removeDrafts(folder, ({ of }) => DRAFT.test(of))
  const old = keep === null ? [] : listBackups(folder).slice(keep)
  for (const backup of old) rmSync(backup.folder, { recursive: true, force: true })
  return old.map(({ name }) => name)
}

function readQuietly(folder: string): BackupManifest | null {
  try {
    const file = join(folder, BACKUP_MANIFEST)
    if (!statSync(file).isFile()) return null
    return backupManifestSchema.safeParse(JSON.parse(readFileSync(file, 'utf8'))).data ?? null
  } catch {
    return null
  }
}

/** Copies a regular file, never through a link, and returns digest and size of the copy. Null = there is none. */
export async function copyPlain(from: string, to: string): Promise<MeasuredFile | null> {
  const source = await openFile(from)
  return source && copyBytes(source, to)
}

/** Measures digest and size of a regular file of any size. Null = there is none. */
export async function measurePlain(path: string): Promise<MeasuredFile | null> {
  const source = await openFile(path)
  return source && measureBytes(source)
}
