import { existsSync } from 'node:fs'
import { mkdir, open, readdir, rename, rm } from 'node:fs/promises'
import { join, relative, sep } from 'node:path'
import { recordAudit } from '../../db/audit-store.ts'
import { describeDatabase } from '../../db/copy-database.ts'
import { database } from '../../db/database.ts'
import { copyOwnDatabase } from '../../db/move-database.ts'
import { eachStoredFolder, listPrunedPaths, listStoredRunIds } from '../../db/read-stored.ts'
import { inTransaction } from '../../db/transaction.ts'
import type { Actor } from '../../domain/accounts/index.ts'
import { BACKUP_KIND, type BackupFile, type BackupManifest } from '../../domain/archive/index.ts'
import { REGRADES_FILE } from '../../domain/record/index.ts'
import { currentVersion, env } from '../../env.ts'
import { AppError } from '../../errors.ts'
import { createLog } from '../../log.ts'
import { evidenceStore } from '../evidence/configured-store.ts'
import { type EvidenceRef, evidenceRef } from '../evidence/evidence-store.ts'
import { findOwnFiles } from '../evidence/own-files.ts'
import {
  BACKUP_MANIFEST,
  backupDraft,
  backupFolder,
  backupName,
  copyPlain,
  DATABASE,
  measurePlain,
  removeOldBackups,
  SECRET,
} from './backup-folders.ts'
import { HEADS_FILE, LEDGER_KEY_FILE, signingKeyIds } from './ledger-heads.ts'

const log = createLog('backup')

type BackupOptions = {
  /** The folder that backups are stored in; null = `backups` in the data folder. */
  to: string | null
  withEvidence: boolean
  withSecret: boolean
  /** Number of complete backups to keep, this one included; null = all. */
  keep: number | null
}

type BackupResult = { folder: string; manifest: BackupManifest; removed: string[] }

/**
 * Copies the database in one state while web and worker go on writing, then the files that it names, and renames the
 * folder once it is complete. Throws an AppError, and leaves nothing.
 */
export async function createBackup(
  options: BackupOptions,
  actor: Actor,
  now = new Date(),
): Promise<BackupResult> {
  const place = backupFolder(options.to)
  const name = backupName(now)
  const folder = join(place, name)
  const manifest = await writeBackup(
    { draft: backupDraft(place, name), folder, place },
    options,
    now,
  )
  const removed = removeOld(place, options.keep)
  await writeAuditLine(actor, { folder, manifest, removed }, now).catch((error: unknown) =>
    log.warn('a backup is whole and no audit line says so', { folder, error }),
  )
  return { folder, manifest, removed }
}

type Places = { draft: string; folder: string; place: string }

async function writeBackup(
  { draft, folder, place }: Places,
  options: BackupOptions,
  now: Date,
): Promise<BackupManifest> {
  try {
    await mkdir(draft, { recursive: true, mode: 0o700 })
    const manifest = await fill(draft, options, now)
    await writeSynced(join(draft, BACKUP_MANIFEST), `${JSON.stringify(manifest, null, 1)}\n`)
    await rename(draft, folder)
    return manifest
  } catch (error) {
    // A later backup removes the rest; the reason of the failure matters more.
    await rm(draft, { recursive: true, force: true }).catch(() => {})
    throw explain(error, place)
  }
}

/** Removes old backups. Failures are ignored: this backup is complete, and a later one tries again. */
function removeOld(place: string, keep: number | null): string[] {
  try {
    return removeOldBackups(place, keep)
  } catch (error) {
    log.warn('a backup is whole and an earlier one could not be removed', { place, error })
    return []
  }
}

/** Files of an operator's server; a new server may have none yet. */
const SECRET_FILES = [SECRET, LEDGER_KEY_FILE]

async function fill(draft: string, options: BackupOptions, now: Date): Promise<BackupManifest> {
  const copy = join(draft, DATABASE)
  // Heads before the database: a copy without the latest entries would contradict a head of its own.
  const heads = await copyHeads(draft)
  // Then the database, before everything else: all that it names was sealed, and so written, earlier.
  await copyOwnDatabase(copy)
  const measured = await measurePlain(copy)
  if (!measured) throw new Error(`${copy} is gone while it is being made`)
  const files: BackupFile[] = [{ path: DATABASE, ...measured }, ...heads]
  const wanted = [
    ...listWanted(copy, { withEvidence: options.withEvidence }),
    ...[...(await listSuites()), ...listSettings(options)].map(plain),
  ]
  const { copied, lacks, leftOut } = await copyAll(wanted, draft)
  files.push(...copied)
  const has = (path: string) => files.some((file) => file.path === path)
  return {
    kind: BACKUP_KIND,
    schemaVersion: 1,
    version: currentVersion(),
    createdAt: now.toISOString(),
    ...describeDatabase(copy),
    holds: {
      evidence: options.withEvidence,
      authSecret: has(SECRET),
      ledgerKey: has(LEDGER_KEY_FILE),
    },
    ledgerKeys: signingKeyIds(env().dataDir),
    leftOut: options.withEvidence ? leftOut : countEvidence(copy),
    lacks,
    files,
  }
}

type Copied = Pick<BackupManifest, 'lacks' | 'leftOut'> & { copied: BackupFile[] }

async function copyAll(wanted: readonly BackupRequest[], draft: string): Promise<Copied> {
  const isHere = findOwnFiles()
  const copied: BackupFile[] = []
  const lacks: BackupManifest['lacks'] = []
  const elsewhere: EvidenceRef[] = []
  const directories = new Set<string>()
  for (const one of wanted) {
    const { path, ref, directory } = one
    const file = await copyWanted(one, join(draft, path))
    if (!file && ref && directory && isHere && !isHere(directory)) {
      elsewhere.push(ref)
      directories.add(directory)
      continue
    }
    const problem = judge(one, file)
    if (problem) lacks.push({ path, problem })
    if (file && !problem) copied.push({ path, ...file })
    if (file && problem) await rm(join(draft, path))
  }
  return { copied, lacks, leftOut: { ...sum(elsewhere), directories: [...directories] } }
}

const sum = (refs: readonly EvidenceRef[]) => {
  return { files: refs.length, bytes: refs.reduce((bytes, ref) => bytes + ref.sizeBytes, 0) }
}

/** Counts all evidence that a copied database names, for a backup without evidence. */
function countEvidence(copy: string): BackupManifest['leftOut'] {
  const refs = listWanted(copy, { withEvidence: true }).flatMap(({ ref }) => ref ?? [])
  return { ...sum(refs), directories: [] }
}

/** Copies evidence from its store, keys from the folder of secrets, everything else from the data folder. */
async function copyWanted({ path, ref }: BackupRequest, to: string) {
  const { secretsDir, dataDir } = env()
  const folder = SECRET_FILES.includes(path) ? secretsDir : dataDir
  return ref ? evidenceStore().copy(ref, to) : copyPlain(join(folder, path), to)
}

async function copyHeads(draft: string): Promise<BackupFile[]> {
  const copied = await copyPlain(join(env().dataDir, HEADS_FILE), join(draft, HEADS_FILE))
  return copied ? [{ path: HEADS_FILE, ...copied }] : []
}

function judge({ ref, optional }: BackupRequest, copied: { digest: string } | null): string | null {
  if (!copied) return optional ? null : 'is missing or is not a regular file'
  if (ref === null || copied.digest === ref.digest) return null
  return 'is not what was sealed: it was changed afterwards'
}

/** Lists secrets, if requested, and the operator's files in the data folder. */
function listSettings({ withSecret }: BackupOptions): string[] {
  const { dataDir, executorsFile } = env()
  const executors = relative(dataDir, executorsFile).split(sep).join('/')
  return [...(withSecret ? SECRET_FILES : []), ...(executors.startsWith('..') ? [] : [executors])]
}

/** Lists imported suites: without them their runs cannot be planned again. */
async function listSuites(): Promise<string[]> {
  const { suitesDir, dataDir } = env()
  if (!existsSync(suitesDir)) return []
  const entries = await readdir(suitesDir, { recursive: true, withFileTypes: true })
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => relative(dataDir, join(entry.parentPath, entry.name)).split(sep).join('/'))
    .sort()
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

/** Writes the audit line by which the server knows its last backup, wherever that is stored. */
async function writeAuditLine(
  actor: Actor,
  { folder, manifest, removed }: BackupResult,
  now: Date,
) {
  const { counts, holds, files, lacks } = manifest
  const bytes = files.reduce((total, file) => total + file.bytes, 0)
  const detail = { folder, bytes, files: files.length, lacks: lacks.length, counts, holds, removed }
  const record = { actor, action: 'backup.create', target: null, detail }
  await inTransaction(database(), (tx) => recordAudit(tx, record, now))
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

/** A file for a backup. `path` is relative to the data folder; without `ref` any bytes are accepted. */
type BackupRequest = {
  path: string
  ref: EvidenceRef | null
  /** The directory of the evidence's episode. */
  directory: string | null
  optional: boolean
}

const plain = (path: string): BackupRequest => ({
  path,
  ref: null,
  directory: null,
  optional: true,
})

/**
 * Small files that are always included: an unfinished run cannot continue without the first two, and boards are built
 * from the regrades.
 */
const ALWAYS = ['plan.json', 'lock.json', REGRADES_FILE]

/**
 * Lists the files that a copied database names. Envelopes are in the database itself; their files are included with the
 * evidence, so that a restored run folder can be checked by itself. Pruned files are not missing.
 */
function listWanted(copy: string, { withEvidence }: { withEvidence: boolean }): BackupRequest[] {
  const names = withEvidence ? [...ALWAYS, 'result.json', 'journal.ndjson'] : ALWAYS
  const wanted = listStoredRunIds(copy).flatMap((runId) =>
    names.map((name) => plain(`runs/${runId}/${name}`)),
  )
  if (!withEvidence) return wanted
  const pruned = listPrunedPaths(copy)
  eachStoredFolder(copy, ({ directory, evidence }) => {
    wanted.push(plain(`${directory}/episode.json`))
    for (const file of evidence) {
      const ref = evidenceRef(directory, file)
      if (ref && !pruned.has(ref.place))
        wanted.push({ path: ref.place, ref, directory, optional: false })
    }
  })
  return wanted
}
