import { copyFileSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { describeDatabase, readyDatabase } from '../../db/copy-database.ts'
import { listPrunedPaths } from '../../db/read-stored.ts'
import {
  ARCHIVE_KIND,
  BACKUP_KIND,
  type BackupManifest,
  backupManifestSchema,
  type Flaw,
} from '../../domain/archive/index.ts'
import { canonicalJson } from '../../domain/digest/index.ts'
import { formatIssues, problemLines } from '../../domain/text/index.ts'
import { env } from '../../env.ts'
import { AppError } from '../../errors.ts'
import type { JudgeFile } from '../evidence/judge-file.ts'
import { BACKUP_MANIFEST, DATABASE, measurePlain } from './backup-folders.ts'
import { temporaryFolder } from './draft-folder.ts'
import { listFiles } from './list-files.ts'
import { verifyServer } from './verify-archive.ts'

/** `elsewhere` is the number of evidence files that the database names and that are not in the backup. */
type BackupCheck = {
  ok: boolean
  manifest: BackupManifest
  problems: Flaw[]
  elsewhere: number
}

/**
 * Checks a backup without changing it: every file by digest, no extra files, the database's own check, the ledger's
 * chain, and all content and evidence behind it. Throws an AppError if the folder is not a backup that this version
 * reads.
 */
export async function verifyBackup(folder: string): Promise<BackupCheck> {
  const manifest = readManifest(folder)
  const damaged = await checkFiles(folder, manifest)
  const { problems, elsewhere } =
    damaged.length > 0 ? { problems: damaged, elsewhere: 0 } : await checkContent(folder, manifest)
  return { ok: problems.length === 0, manifest, problems, elsewhere }
}

/** Reads the manifest of a backup. Throws an AppError with one sentence when it is not one. */
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
    const value: unknown = JSON.parse(text)
    const other = describeOther(value)
    if (other) throw refuse(other)
    const parsed = backupManifestSchema.safeParse(value)
    if (parsed.success) return parsed.data
    throw refuse(problemLines(formatIssues(parsed.error.issues), 1)[0] ?? 'its manifest is damaged')
  } catch (error) {
    throw error instanceof AppError ? error : refuse(`its ${BACKUP_MANIFEST} is damaged`)
  }
}

const kindSchema = z.object({ kind: z.string(), schemaVersion: z.number().optional() })

/** Describes a manifest that is not a backup of this version; null = it is one. */
function describeOther(value: unknown): string | null {
  const { kind, schemaVersion = 1 } = kindSchema.safeParse(value).data ?? {}
  if (kind === ARCHIVE_KIND)
    return 'it is an archive of a board; check it with proofboard server ledger verify --from'
  if (kind !== undefined && kind !== BACKUP_KIND)
    return `its ${BACKUP_MANIFEST} belongs to something else (${kind.slice(0, 60)})`
  return schemaVersion > 1 ? 'a newer version of Proofboard made it: update Proofboard first' : null
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

type ContentCheck = Pick<BackupCheck, 'problems' | 'elsewhere'>

/** Verifies the data folder that a restore would create, on a copy of the database, which may have to be migrated. */
async function checkContent(folder: string, manifest: BackupManifest): Promise<ContentCheck> {
  const place = temporaryFolder('backup')
  try {
    const copy = join(place, DATABASE)
    copyFileSync(join(folder, DATABASE), copy)
    const other = checkFacts(copy, manifest)
    if (other) return { problems: [other], elsewhere: 0 }
    readyDatabase(copy, env().migrationsDir)
    for (const name of readdirSync(folder))
      if (name !== DATABASE && name !== BACKUP_MANIFEST)
        symlinkSync(join(folder, name), join(place, name))
    const judge = manifestJudge(manifest, listPrunedPaths(copy))
    const { problems, elsewhere } = await verifyServer(place, { judge })
    // Boards follow a moment later; the next start computes them again.
    const flaws = problems.filter((flaw) => !flaw.place.startsWith('board of '))
    return { problems: flaws, elsewhere: elsewhere ?? 0 }
  } finally {
    rmSync(place, { recursive: true, force: true })
  }
}

/** Compares the database with its facts in the manifest. */
function checkFacts(copy: string, { migrations, counts, ledgerHead }: BackupManifest): Flaw | null {
  const isSame =
    canonicalJson(describeDatabase(copy)) === canonicalJson({ migrations, counts, ledgerHead })
  return isSame ? null : { place: DATABASE, problem: 'is not the database of the manifest' }
}

/** Returns a check of evidence by the manifest, whose digests were compared with the files before. */
function manifestJudge(
  { files, holds, lacks, leftOut }: BackupManifest,
  pruned: ReadonlySet<string>,
): JudgeFile {
  const digests = new Map(files.map(({ path, digest }) => [path, digest]))
  const lacking = new Set(lacks.map(({ path }) => path))
  const elsewhere = new Set(leftOut.directories)
  return async ({ place, digest }, directory) => {
    const found = digests.get(place)
    if (found) return found === digest ? 'whole' : 'altered'
    if (pruned.has(place)) return 'pruned'
    const isExpected = !holds.evidence || lacking.has(place) || elsewhere.has(directory)
    return isExpected ? 'elsewhere' : 'missing'
  }
}
