import { readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { join, relative, resolve } from 'node:path'
import { hostId } from '#lib/setup/host.mjs'
import { type BackupManifest, backupManifestSchema } from '../../domain/archive/index.ts'
import { env } from '../../env.ts'
import { AppError } from '../../errors.ts'
import { locateProcess } from '../../processes/is-process-alive.ts'
import { copyBytes, type MeasuredFile, measureBytes, openFile } from '../evidence/byte-reader.ts'

export const BACKUP_MANIFEST = 'manifest.json'
export const DATABASE = 'proofboard.db'
export const SECRET = 'auth-secret'

const WHOLE = /^proofboard-\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d-\d{3}Z$/
const DRAFT = /^\.proofboard-.+\.(\d+)(?:@([\w.-]+))?\.tmp$/

/** The default folder for backups. */
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

/** A backup's folder is named for its instant, so names sort by age. */
export function backupName(now: Date): string {
  return `proofboard-${now.toISOString().replaceAll(/[:.]/g, '-')}`
}

/** Where a backup grows until it is whole; the process that writes it is part of the name. */
export function draftName(name: string): string {
  return `.${name}.${process.pid}@${hostId()}.tmp`
}

export type BackupSummary = Pick<BackupManifest, 'createdAt' | 'version' | 'counts' | 'holds'> & {
  name: string
  folder: string
  bytes: number
}

/** The whole backups in a folder, newest first; what is not a backup is passed over. */
export function listBackups(folder: string): BackupSummary[] {
  return names(folder)
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
 * Removes drafts whose process is gone, and the oldest whole backups beyond `keep` (null = none); returns the names of the
 * removed backups.
 */
export function removeOldBackups(folder: string, keep: number | null): string[] {
  for (const name of names(folder)) {
    const draft = DRAFT.exec(name)
    if (draft && isLeft(join(folder, name), locateProcess(Number(draft[1]), draft[2])))
      rmSync(join(folder, name), { recursive: true, force: true })
  }
  const old = keep === null ? [] : listBackups(folder).slice(keep)
  for (const backup of old) rmSync(backup.folder, { recursive: true, force: true })
  return old.map(({ name }) => name)
}

/** Without a new file for this long, a backup that another machine began is not written any more. */
const DRAFT_MS = 7 * 86_400_000

function isLeft(draft: string, writer: ReturnType<typeof locateProcess>): boolean {
  if (writer !== 'elsewhere') return writer === 'gone'
  const written = statSync(draft, { throwIfNoEntry: false })?.mtimeMs
  return written !== undefined && Date.now() - written > DRAFT_MS
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

function names(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}

/** Copies a regular file, never through a link, and answers what was copied. Null = there is none. */
export async function copyPlain(from: string, to: string): Promise<MeasuredFile | null> {
  const source = await openFile(from)
  return source && copyBytes(source, to)
}

/** Digest and size of a regular file, whatever its size. Null = there is none. */
export async function measurePlain(path: string): Promise<MeasuredFile | null> {
  const source = await openFile(path)
  return source && measureBytes(source)
}
