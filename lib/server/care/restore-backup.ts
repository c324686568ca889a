import { copyFileSync, existsSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { mkdir, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join, relative, resolve, sep } from 'node:path'
import { readyDatabase } from '../../db/copy-database.ts'
import { databaseError } from '../../db/database-error.ts'
import { eachStoredFolder, listOpenRuns } from '../../db/read-stored.ts'
import { type BackupManifest, backupManifestSchema, type Flaw } from '../../domain/archive/index.ts'
import { formatIssues, problemLines } from '../../domain/record/index.ts'
import { env } from '../../env.ts'
import { AppError } from '../../errors.ts'
import { BACKUP_MANIFEST, copyPlain, DATABASE, measurePlain } from './backup-folders.ts'
import { draftOf, temporaryFolder } from './draft-folder.ts'
import { listTarget } from './list-target.ts'
import { verifyServer } from './verify-archive.ts'

type RestoreResult = { into: string; manifest: BackupManifest; migrated: string[] }

/**
 * Makes a data folder of a backup that was checked first: whole, or not at all. Refuses a folder that is not empty,
 * so a server that is running on it keeps what it has. Throws an AppError.
 */
export async function restoreBackup(folder: string, into: string): Promise<RestoreResult> {
  const target = resolve(into)
  refuseFilled(target)
  const { ok, manifest, problems } = await verifyBackup(folder)
  if (!ok) {
    const shown = problems.slice(0, 3).map(({ place, problem }) => `${place}: ${problem}`)
    const more = problems.length > 3 ? `; and ${problems.length - 3} more` : ''
    throw new AppError('conflict', `nothing was restored: ${shown.join('; ')}${more}`)
  }
  const draft = draftOf(target)
  try {
    await mkdir(dirname(draft), { recursive: true })
    await mkdir(draft, { mode: 0o700 })
    for (const { path, digest } of manifest.files) {
      const copied = await copyPlain(join(folder, path), join(draft, path))
      if (copied?.digest !== digest) {
        throw new AppError('conflict', `nothing was restored: ${path} changed while it was read`)
      }
    }
    const migrated = readyDatabase(join(draft, DATABASE), env().migrationsDir)
    await fillOpenRuns(draft)
    await rename(draft, target)
    return { into: target, manifest, migrated }
  } catch (error) {
    await rm(draft, { recursive: true, force: true }).catch(() => {})
    throw explain(databaseError(error), target)
  }
}

function refuseFilled(target: string): void {
  const names = listTarget(target, '--into')
  if (names.length === 0) return
  const what = names.includes(DATABASE) ? "already contains a server's data" : 'is not empty'
  throw new AppError(
    'conflict',
    `${target} ${what}: nothing was touched; stop the server that uses it and choose an empty folder`,
  )
}

/**
 * A run that has not ended goes on from its folder: the runner needs the plan and every envelope that is sealed, or it
 * would run those slots again.
 */
async function fillOpenRuns(dataDir: string): Promise<void> {
  const file = join(dataDir, DATABASE)
  const open = new Map(listOpenRuns(file).map((run) => [run.runId, run.plan]))
  const missing: { path: string; text: string }[] = []
  for (const [runId, text] of open) missing.push({ path: `runs/${runId}/plan.json`, text })
  eachStoredFolder(file, ({ runId, directory, envelope }) => {
    if (open.has(runId)) missing.push({ path: `${directory}/episode.json`, text: envelope })
  })
  for (const { path, text } of missing) {
    const place = join(dataDir, path)
    if (existsSync(place)) continue
    await mkdir(dirname(place), { recursive: true })
    await writeFile(place, text, { flag: 'wx', flush: true })
  }
}

function explain(error: unknown, target: string): unknown {
  const { code, message } = error as NodeJS.ErrnoException
  if (error instanceof AppError) {
    if (error.code !== 'disk-full') return error
    return full(target, error)
  }
  if (code === 'ENOSPC' || code === 'EDQUOT' || code === 'EFBIG') return full(target, error)
  if (!code) return error
  const text = `nothing was restored: ${message}; choose another --into`
  return new AppError('invalid-request', text, { cause: error })
}

function full(target: string, cause: unknown): AppError {
  const text = `the disk of ${target} is full: nothing was restored and nothing half-written is left`
  return new AppError('disk-full', text, { cause })
}

type BackupCheck = { ok: boolean; manifest: BackupManifest; problems: Flaw[] }

/**
 * Checks a backup without changing it: every file by digest, no extra files, the database's own check, the ledger's
 * chain and the content behind it. Throws an AppError where there is no backup, or one of a newer Proofboard.
 */
export async function verifyBackup(folder: string): Promise<BackupCheck> {
  const manifest = readManifest(folder)
  const problems = await checkFiles(folder, manifest)
  if (problems.length === 0) problems.push(...(await checkDatabase(folder)))
  return { ok: problems.length === 0, manifest, problems }
}

/** The manifest of a backup, or one sentence about why this is none. */
function readManifest(folder: string): BackupManifest {
  const refuse = (why: string) =>
    new AppError('invalid-request', `${folder} is not a backup: ${why}`)
  if (!statSync(folder, { throwIfNoEntry: false })) {
    throw new AppError('not-found', `there is nothing at ${folder}`)
  }
  let text: string
  try {
    text = readFileSync(join(folder, BACKUP_MANIFEST), 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EACCES')
      throw new AppError(
        'invalid-request',
        `${folder} cannot be read by this user: run this as its owner`,
      )
    throw refuse(`it has no ${BACKUP_MANIFEST}; a whole backup is a folder named proofboard-<date>`)
  }
  try {
    const parsed = backupManifestSchema.safeParse(JSON.parse(text))
    if (parsed.success) return parsed.data
    throw refuse(problemLines(formatIssues(parsed.error.issues), 1)[0] ?? 'its manifest is damaged')
  } catch (error) {
    throw error instanceof AppError ? error : refuse(`its ${BACKUP_MANIFEST} is damaged`)
  }
}

async function checkFiles(folder: string, { files }: BackupManifest): Promise<Flaw[]> {
  const problems: Flaw[] = []
  for (const { path, digest, bytes } of files) {
    const found = await measurePlain(join(folder, path))
    if (!found) problems.push({ place: path, problem: 'is missing' })
    else if (found.bytes !== bytes || found.digest !== digest) {
      problems.push({ place: path, problem: 'is damaged: its bytes are not those of the manifest' })
    }
  }
  const named = new Set([BACKUP_MANIFEST, ...files.map(({ path }) => path)])
  const more = listFiles(folder).filter((path) => !named.has(path))
  problems.push(...more.map((place) => ({ place, problem: 'is not in the manifest' })))
  if (!named.has(DATABASE)) problems.push({ place: DATABASE, problem: 'is not in the manifest' })
  return problems
}

/** On a copy of its own, because a backup of an earlier version has to be migrated before it can be read. */
async function checkDatabase(folder: string): Promise<Flaw[]> {
  const place = temporaryFolder('backup')
  try {
    const copy = join(place, DATABASE)
    copyFileSync(join(folder, DATABASE), copy)
    readyDatabase(copy, env().migrationsDir)
    // Boards follow a moment later; the next start computes them again.
    const { problems } = await verifyServer(place)
    return problems.filter((flaw) => !flaw.place.startsWith('board of '))
  } finally {
    rmSync(place, { recursive: true, force: true })
  }
}

function listFiles(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => !entry.isDirectory())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)).split(sep).join('/'))
}
