import { existsSync } from 'node:fs'
import { mkdir, open, readdir, rename, rm } from 'node:fs/promises'
import { join, relative, sep } from 'node:path'
import { HEADS_FILE } from '#lib/archive/check-heads.ts'
import { LEDGER_KEY_FILE } from '#lib/archive/ledger-key.ts'
import { recordAudit } from '#lib/db/audit-store.ts'
import { copyDatabase, describeDatabase } from '#lib/db/copy-database.ts'
import { database } from '#lib/db/database.ts'
import type { Actor } from '#lib/domain/access.ts'
import {
  BACKUP_KIND,
  type BackupFile,
  type BackupManifest,
} from '#lib/domain/backup/backup-manifest.ts'
import { env } from '#lib/env.ts'
import { AppError } from '#lib/errors.ts'
import { createLog } from '#lib/log.ts'
import { ownVersion } from '#lib/own-version.ts'
import {
  backupName,
  backupPlace,
  DATABASE,
  draftName,
  MANIFEST,
  removeOldBackups,
  SECRET,
} from './backup-folders.ts'
import { copyPlain, measurePlain } from './copy-plain.ts'
import { listWanted, type Wanted } from './list-wanted.ts'

const log = createLog('backup')

export type BackupOrder = {
  /** The folder that backups are kept in; null = `backups` in the data folder. */
  to: string | null
  withEvidence: boolean
  withSecret: boolean
  /** So many whole backups stay in the folder, this one among them; null = all. */
  keep: number | null
}

export type BackupResult = { folder: string; manifest: BackupManifest; removed: string[] }

/**
 * Copies the database in one state while web and worker go on writing, then what that state names on the disk, and shows
 * the folder under its name once it is whole; before that it does not exist. Throws an AppError, and leaves nothing.
 */
export async function createBackup(
  order: BackupOrder,
  actor: Actor,
  now = new Date(),
): Promise<BackupResult> {
  const place = backupPlace(order.to)
  const name = backupName(now)
  const draft = join(place, draftName(name))
  const folder = join(place, name)
  try {
    await mkdir(draft, { recursive: true, mode: 0o700 })
    const manifest = await fill(draft, order, now)
    await writeSynced(join(draft, MANIFEST), `${JSON.stringify(manifest, null, 1)}\n`)
    await rename(draft, folder)
    const removed = order.keep === null ? [] : removeOldBackups(place, order.keep)
    await tellAudit(actor, { folder, manifest, removed }, now).catch((error: unknown) =>
      log.warn('a backup is whole and no audit line says so', { folder, error }),
    )
    return { folder, manifest, removed }
  } catch (error) {
    // What cannot be removed now goes with a later backup; the reason of the failure is what counts.
    await rm(draft, { recursive: true, force: true }).catch(() => {})
    throw explain(error, place)
  }
}

/** What only an operator's own copy holds; a server that made none yet has none. */
const SECRETS = [SECRET, LEDGER_KEY_FILE].map((path) => ({ path, digest: null, optional: true }))

async function fill(draft: string, order: BackupOrder, now: Date): Promise<BackupManifest> {
  const { databaseFile, dataDir } = env()
  const copy = join(draft, DATABASE)
  // Heads before the database: a copy that ends before a head of its own would look cut off.
  const heads = await copyHeads(draft)
  // Then the database, before all else: whatever it names was sealed, and so written, before.
  copyDatabase(databaseFile, copy)
  const measured = await measurePlain(copy)
  if (!measured) throw new Error(`${copy} is gone while it is being made`)
  const files: BackupFile[] = [{ path: DATABASE, ...measured }, ...heads]
  const lacks: BackupManifest['lacks'] = []
  const hasSecret = order.withSecret && existsSync(join(dataDir, SECRET))
  const wanted = [
    ...listWanted(copy, { withEvidence: order.withEvidence }),
    ...(await listSuites()),
    ...(order.withSecret ? SECRETS : []),
  ]
  for (const one of wanted) {
    const { path } = one
    const copied = await copyPlain(join(dataDir, path), join(draft, path))
    const problem = judge(one, copied)
    if (problem) lacks.push({ path, problem })
    if (copied && !problem) files.push({ path, ...copied })
    if (copied && problem) await rm(join(draft, path))
  }
  return {
    ...{ kind: BACKUP_KIND, schemaVersion: 1, version: ownVersion() },
    ...{ createdAt: now.toISOString(), ...describeDatabase(copy) },
    holds: { evidence: order.withEvidence, authSecret: hasSecret },
    ...{ lacks, files },
  }
}

async function copyHeads(draft: string): Promise<BackupFile[]> {
  const copied = await copyPlain(join(env().dataDir, HEADS_FILE), join(draft, HEADS_FILE))
  return copied ? [{ path: HEADS_FILE, ...copied }] : []
}

function judge({ digest, optional }: Wanted, copied: { digest: string } | null): string | null {
  if (!copied) return optional ? null : 'is not there, or is no regular file'
  if (digest === null || copied.digest === digest) return null
  return 'is not what was sealed: it was changed afterwards'
}

/** Suites that were imported: without them their runs cannot be planned again. */
async function listSuites(): Promise<Wanted[]> {
  const { suitesDir, dataDir } = env()
  if (!existsSync(suitesDir)) return []
  const entries = await readdir(suitesDir, { recursive: true, withFileTypes: true })
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => relative(dataDir, join(entry.parentPath, entry.name)).split(sep).join('/'))
    .sort()
    .map((path) => ({ path, digest: null, optional: true }))
}

async function writeSynced(file: string, text: string): Promise<void> {
  const handle = await open(file, 'wx', 0o600)
  try {
    await handle.writeFile(text)
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/** The newest line of this action is how the server knows its last backup, wherever that lies. */
async function tellAudit(actor: Actor, { folder, manifest, removed }: BackupResult, now: Date) {
  const { counts, holds, files, lacks } = manifest
  const bytes = files.reduce((sum, file) => sum + file.bytes, 0)
  const detail = { folder, bytes, files: files.length, lacks: lacks.length, counts, holds, removed }
  await recordAudit(database(), { actor, action: 'backup.create', target: null, detail }, now)
}

function explain(error: unknown, place: string): unknown {
  if (error instanceof AppError && error.code !== 'disk-full') return error
  const { code, message } = error as NodeJS.ErrnoException
  const isFull =
    error instanceof AppError || code === 'ENOSPC' || code === 'EFBIG' || code === 'EDQUOT'
  if (isFull) {
    return new AppError(
      'disk-full',
      `${place} is full: no backup was written and nothing half-written is left; free some space or choose another --to`,
      { cause: error },
    )
  }
  if (!code) return error
  return new AppError('invalid-request', `no backup was written: ${message}; choose another --to`, {
    cause: error,
  })
}
