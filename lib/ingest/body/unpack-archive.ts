import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { databaseError } from '#lib/db/database-error.ts'
import { relativePathSchema } from '#lib/domain/names.ts'
import { AppError } from '#lib/errors.ts'
import { BODY_LIMITS, type BodyLimits } from '../limits.ts'
import { type Body, checkRatio, tooLarge } from './read-body.ts'
import {
  type ArchiveEntry,
  readTarEntries,
  readZipEntries,
  refuseEntry,
  tooManyFiles,
} from './read-entries.ts'
import { type StoredFile, storeFile } from './stored-file.ts'

/** The files of an archive by their paths in it. */
export type ArchiveFiles = ReadonlyMap<string, StoredFile>

/**
 * Unpacks an archive into a folder, each file under a number, so that no name of the archive ever names a file of ours.
 * Refuses it whole: paths that leave it, links, names that stand twice (also in other letters), too many files or bytes.
 */
export async function unpackArchive(
  body: Body & { kind: 'zip' | 'tar' },
  folder: string,
  limits: BodyLimits = BODY_LIMITS,
): Promise<ArchiveFiles> {
  await mkdir(folder, { recursive: true })
  const { archiveFiles: most } = limits
  const entries = body.kind === 'zip' ? readZipEntries(body.file, most) : readTarEntries(body.file)
  const files = new Map<string, StoredFile>()
  const seen = new Set<string>()
  let sum = 0
  const check = (bytes: number) => {
    if (sum + bytes > limits.archiveBytes)
      throw tooLarge('the archive unpacks to more than', limits.archiveBytes)
    checkRatio(sum + bytes, body.sentBytes, limits)
  }
  try {
    for await (const entry of entries) {
      const path = readName(entry, seen)
      if (seen.size > most) throw tooManyFiles(most)
      check(entry.sizeBytes)
      const file = join(folder, String(files.size))
      const stored = await storeFile(await entry.open(), file, check)
      sum += stored.sizeBytes
      files.set(path, stored)
    }
  } catch (error) {
    throw refusal(error)
  }
  return files
}

function readName({ name }: ArchiveEntry, seen: Set<string>): string {
  const path = relativePathSchema.safeParse(name.replace(/^(\.\/)+/, ''))
  if (!path.success) throw refuseEntry(name, 'has a path that leaves the archive or is too long')
  const key = path.data.normalize('NFC').toLowerCase()
  if (seen.has(key)) throw refuseEntry(name, 'is duplicated')
  seen.add(key)
  return path.data
}

/** Whatever the readers of zip and tar throw is the archive's fault; a full disk is not. */
function refusal(error: unknown): unknown {
  const told = databaseError(error)
  if (told instanceof AppError || !(error instanceof Error)) return told
  const message = `the archive cannot be read: ${error.message.slice(0, 200)}`
  return new AppError('invalid-request', message, { cause: error })
}
