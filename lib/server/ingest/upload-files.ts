import { existsSync } from 'node:fs'
import { readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import type { Db } from '../../db/db.ts'
import { endUpload, listPendingUploads } from '../../db/submission-store.ts'
import { removeStrayBytes, removeUploadBytes } from '../../db/upload-bytes-store.ts'
import { env } from '../../env.ts'

export const uploadIdSchema = z.string().regex(/^up_[0-9a-f]{24}$/)

/** Time in which a file has to be confirmed. */
const CONFIRMATION_MS = 24 * 60 * 60_000

/** Removes uploads that were not committed within a day, and files that belong to none. */
export async function sweepUploads(db: Db, now: Date): Promise<void> {
  const until = new Date(now.getTime() - CONFIRMATION_MS)
  for (const id of await listPendingUploads(db, until)) {
    if (await endUpload(db, id, { state: 'discarded' })) await removeBytes(db, id)
  }
  await removeStrayBytes(db)
  const { uploadsDir } = env()
  for (const name of existsSync(uploadsDir) ? await readdir(uploadsDir) : []) {
    const file = join(uploadsDir, name)
    const found = await stat(file).catch(() => null)
    if (found && found.mtimeMs < until.getTime()) await rm(file, { recursive: true, force: true })
  }
}

/** Removes an upload's bytes, from this machine and from the database. */
export async function removeBytes(db: Db, id: string): Promise<void> {
  await rm(uploadFile(id), { force: true })
  await removeUploadBytes(db, id)
}

/** Returns the path of an upload's bytes, under a generated name: the file's own name is in the row only. */
export function uploadFile(id: string): string {
  return join(env().uploadsDir, uploadIdSchema.parse(id))
}
