import { copyFileSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative, sep } from 'node:path'
import { verifyServer } from '#lib/archive/verify.ts'
import { readyDatabase } from '#lib/db/copy-database.ts'
import type { Flaw } from '#lib/domain/archive/archive.ts'
import { type BackupManifest, backupManifestSchema } from '#lib/domain/backup/backup-manifest.ts'
import { formatIssues, problemLines } from '#lib/domain/problem.ts'
import { env } from '#lib/env.ts'
import { AppError } from '#lib/errors.ts'
import { DATABASE, MANIFEST } from './backup-folders.ts'
import { measurePlain } from './copy-plain.ts'

export type BackupCheck = { ok: boolean; manifest: BackupManifest; problems: Flaw[] }

/**
 * Checks a backup without changing it: every file by digest, none too many, the database's own check, the ledger's
 * chain and the content behind it. Throws an AppError where there is no backup, or one of a newer Proofboard.
 */
export async function verifyBackup(folder: string): Promise<BackupCheck> {
  const manifest = readManifest(folder)
  const problems = await checkFiles(folder, manifest)
  if (problems.length === 0) problems.push(...checkDatabase(folder))
  return { ok: problems.length === 0, manifest, problems }
}

/** The manifest of a backup, or one sentence about why this is none. */
export function readManifest(folder: string): BackupManifest {
  const refuse = (why: string) =>
    new AppError('invalid-request', `${folder} is not a backup: ${why}`)
  if (!statSync(folder, { throwIfNoEntry: false })) {
    throw new AppError('not-found', `there is nothing at ${folder}`)
  }
  let text: string
  try {
    text = readFileSync(join(folder, MANIFEST), 'utf8')
  } catch {
    throw refuse(`it has no ${MANIFEST}; a whole backup is a folder named proofboard-<date>`)
  }
  try {
    const parsed = backupManifestSchema.safeParse(JSON.parse(text))
    if (parsed.success) return parsed.data
    throw refuse(problemLines(formatIssues(parsed.error.issues), 1)[0] ?? 'its manifest is damaged')
  } catch (error) {
    throw error instanceof AppError ? error : refuse(`its ${MANIFEST} is damaged`)
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
  const named = new Set([MANIFEST, ...files.map(({ path }) => path)])
  const more = listFiles(folder).filter((path) => !named.has(path))
  problems.push(...more.map((place) => ({ place, problem: 'is not in the manifest' })))
  if (!named.has(DATABASE)) problems.push({ place: DATABASE, problem: 'is not in the manifest' })
  return problems
}

/** On a copy of its own, because a backup of an earlier version has to be migrated before it can be read. */
function checkDatabase(folder: string): Flaw[] {
  const place = mkdtempSync(join(tmpdir(), 'proofboard-backup-'))
  try {
    const copy = join(place, DATABASE)
    copyFileSync(join(folder, DATABASE), copy)
    readyDatabase(copy, env().migrationsDir)
    // Boards follow a moment later; the next start computes them anew.
    return verifyServer(place).problems.filter((flaw) => !flaw.place.startsWith('board of '))
  } finally {
    rmSync(place, { recursive: true, force: true })
  }
}

function listFiles(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => !entry.isDirectory())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)).split(sep).join('/'))
}
