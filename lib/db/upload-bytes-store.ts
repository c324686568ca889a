import { randomBytes } from 'node:crypto'
import { createReadStream, existsSync } from 'node:fs'
import { appendFile, mkdir, rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { Db, DbOrTx } from './db.ts'
import { isShared } from './dialect.ts'

/** Bytes of a part, a row size that any database handles. */
const PIECE_BYTES = 768 * 1024

/**
 * Stores the bytes of an upload in a database that several hosts share, because its confirmation may reach another host
 * than the file. Does nothing for a database of one host, which has the file.
 */
export async function shareUploadBytes(db: Db, uploadId: string, file: string): Promise<void> {
  if (!isShared(db)) return
  let number = 0
  let first = ''
  const save = (part: { number: number; bytes: string }) =>
    db.uploadPart.create({ data: { uploadId, ...part } })
  for await (const piece of createReadStream(file, { highWaterMark: PIECE_BYTES })) {
    const bytes = (piece as Buffer).toString('base64')
    if (number === 0) first = bytes
    else await save({ number, bytes })
    number += 1
  }
  // The first part is stored last: its presence shows that the others are there.
  await save({ number: 0, bytes: first })
}

/** Writes the shared bytes of an upload into its file unless this host has it. False = they are not stored anywhere. */
export async function restoreUploadBytes(
  db: DbOrTx,
  uploadId: string,
  file: string,
): Promise<boolean> {
  if (existsSync(file)) return true
  const draft = `${file}.${process.pid}-${randomBytes(4).toString('hex')}.tmp`
  await mkdir(dirname(file), { recursive: true, mode: 0o700 })
  try {
    if (!(await writePieces(db, uploadId, draft))) return false
    await rename(draft, file)
    return true
  } finally {
    await rm(draft, { force: true })
  }
}

async function writePieces(db: DbOrTx, uploadId: string, draft: string): Promise<boolean> {
  for (let number = 0; ; number++) {
    const where = { uploadId_number: { uploadId, number } }
    const part = await db.uploadPart.findUnique({ where })
    if (part === null) return number > 0
    const bytes = Buffer.from(part.bytes, 'base64')
    await appendFile(draft, bytes, { mode: 0o600, flag: number === 0 ? 'w' : 'a' })
  }
}

export async function removeUploadBytes(db: DbOrTx, uploadId: string): Promise<void> {
  await db.uploadPart.deleteMany({ where: { uploadId } })
}

/** Removes shared bytes of uploads that are not pending, left by a killed process. */
export async function removeStrayBytes(db: DbOrTx): Promise<void> {
  // Checks without a lock first: usually there are none.
  if ((await db.uploadPart.findFirst({ select: { number: true } })) === null) return
  await db.$executeRaw`
    DELETE FROM "UploadPart" WHERE "uploadId" NOT IN (SELECT "id" FROM "Upload" WHERE "state" = 'previewed')`
}
