import { existsSync } from 'node:fs'
import { mkdir, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { readyDatabase } from '../../db/copy-database.ts'
import { databaseError } from '../../db/database-error.ts'
import { eachStoredFolder, listOpenRuns, listPrunedPaths } from '../../db/read-stored.ts'
import type { BackupManifest } from '../../domain/archive/index.ts'
import { env } from '../../env.ts'
import { AppError } from '../../errors.ts'
import { changeLeftOut, countLeftOut } from '../evidence/left-out.ts'
import { copyPlain, DATABASE, SECRET } from './backup-folders.ts'
import { draftOf } from './draft-folder.ts'
import { LEDGER_KEY_FILE, signingKeyIds } from './ledger-heads.ts'
import { listTarget } from './list-files.ts'
import { verifyBackup } from './verify-backup.ts'

/** Evidence that is not in the backup. */
export type LeftOutCounts = { episodes: number; files: number }

type RestoreResult = {
  into: string
  manifest: BackupManifest
  migrated: string[]
  leftOut: LeftOutCounts
}

/**
 * Creates a data folder from a verified backup, completely or not at all. Throws an AppError, also for a folder that is
 * not empty, so that a running server keeps its data.
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
    noteLeftOut(draft, manifest, new Date())
    await rename(draft, target)
    const leftOut = countLeftOut(target) ?? { episodes: 0, files: 0 }
    return { into: target, manifest, migrated, leftOut }
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
 * Restores the folders of unfinished runs: the runner needs the plan and every sealed envelope, or it would repeat
 * those slots.
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

/**
 * Records what the backup did not include, so that it does not count as lost. What the original board lacked counts as
 * lost.
 */
function noteLeftOut(dataDir: string, manifest: BackupManifest, now: Date): void {
  const { holds, leftOut, createdAt, files } = manifest
  const has = (path: string) => files.some((file) => file.path === path)
  const pruned = listPrunedPaths(join(dataDir, DATABASE))
  const elsewhere = new Set(leftOut.directories)
  const evidence: Record<string, number> = {}
  eachStoredFolder(join(dataDir, DATABASE), ({ directory, evidence: named }) => {
    if (holds.evidence && !elsewhere.has(directory)) return
    const expected = named.filter(({ path }) => !pruned.has(`${directory}/${path}`))
    const absent = expected.filter(({ path }) => !existsSync(join(dataDir, directory, path)))
    if (absent.length > 0) evidence[directory] = absent.length
  })
  const left = {
    restored: { at: now.toISOString(), backup: createdAt },
    secrets: [SECRET, LEDGER_KEY_FILE].filter((name) => !has(name)),
    ledgerKeys: [...new Set([...manifest.ledgerKeys, ...signingKeyIds(dataDir)])],
    evidence,
  }
  changeLeftOut(left, dataDir)
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
