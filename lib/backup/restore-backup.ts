import { existsSync, readdirSync } from 'node:fs'
import { mkdir, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { readyDatabase } from '#lib/db/copy-database.ts'
import { databaseError } from '#lib/db/database-error.ts'
import { listOpenRuns, visitKeptFolders } from '#lib/db/list-kept-folders.ts'
import type { BackupManifest } from '#lib/domain/backup/backup-manifest.ts'
import { env } from '#lib/env.ts'
import { AppError } from '#lib/errors.ts'
import { DATABASE } from './backup-folders.ts'
import { copyPlain } from './copy-plain.ts'
import { verifyBackup } from './verify-backup.ts'

export type RestoreResult = { into: string; manifest: BackupManifest; migrated: string[] }

/**
 * Makes a data folder of a backup that was checked first: whole, or not at all. Refuses a folder that holds anything,
 * so a server that is running on it keeps what it has. Throws an AppError.
 */
export async function restoreBackup(folder: string, into: string): Promise<RestoreResult> {
  const target = resolve(into)
  refuseFilled(target)
  const { ok, manifest, problems } = await verifyBackup(folder)
  if (!ok) {
    const told = problems.slice(0, 3).map(({ place, problem }) => `${place}: ${problem}`)
    const more = problems.length > 3 ? `; and ${problems.length - 3} more` : ''
    throw new AppError('conflict', `nothing was restored: ${told.join('; ')}${more}`)
  }
  const draft = `${target}.${process.pid}.tmp`
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
  let names: string[]
  try {
    names = readdirSync(target)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return
    throw new AppError('invalid-request', `${target} is not a folder: choose another --into`)
  }
  if (names.length === 0) return
  const what = names.includes(DATABASE) ? "holds a server's data already" : 'is not empty'
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
  visitKeptFolders(file, ({ runId, directory, envelope }) => {
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
  const told = `nothing was restored: ${message}; choose another --into`
  return new AppError('invalid-request', told, { cause: error })
}

function full(target: string, cause: unknown): AppError {
  const told = `the disk of ${target} is full: nothing was restored and nothing half-written is left`
  return new AppError('disk-full', told, { cause })
}
