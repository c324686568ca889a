import { randomBytes } from 'node:crypto'
import { mkdir, rm } from 'node:fs/promises'
import { recordAudit } from '#lib/db/audit-store.ts'
import { database } from '#lib/db/database.ts'
import { withDatabaseErrors } from '#lib/db/database-error.ts'
import { saveUpload } from '#lib/db/upload-store.ts'
import type { Actor } from '#lib/domain/access.ts'
import type { Told } from '#lib/domain/formats/told.ts'
import { canCommit, type UploadPreview } from '#lib/domain/ingest/upload-preview.ts'
import { env } from '#lib/env.ts'
import { AppError } from '#lib/errors.ts'
import { type Body, readBody } from '../body/read-body.ts'
import { unreadablePreview } from '../describe-preview.ts'
import { previewResults } from '../preview-results.ts'
import { uploadFile, writeReport } from './upload-report.ts'

export type UploadOrder = {
  fileName: string
  contentType: string
  /** What is said of it beside, where its format has no place for that. */
  told?: Told
  actor: Actor
  requestId: string | null
  now: Date
}

/** Refusals that are the file's own; any other (a full disk, a locked database) is told as it is. */
const FILE_CODES = new Set([
  'invalid-request',
  'too-large',
  'unsupported-type',
  'invalid-episode',
  'conflict',
])

/**
 * Takes a file in and looks through it; what it would write waits for somebody's yes. A file that cannot be read is
 * told of in the same place, and its bytes are not kept. Answers the upload's id.
 */
export async function receiveUpload(
  source: AsyncIterable<Uint8Array>,
  order: UploadOrder,
): Promise<string> {
  const id = `up_${randomBytes(12).toString('hex')}`
  await mkdir(env().uploadsDir, { recursive: true, mode: 0o700 })
  const { body, preview } = await lookThrough(source, uploadFile(id), order)
  if (!canCommit(preview)) await rm(uploadFile(id), { force: true })
  const { actor, requestId, now, fileName } = order
  const work = database().$transaction(async (tx) => {
    await saveUpload(tx, {
      id,
      fileName: cleanName(fileName),
      bytes: body?.sentBytes ?? 0,
      digest: body?.digest ?? '',
      state: 'previewed',
      report: writeReport(body, preview, order.told),
      createdBy: actor.name,
      createdAt: now,
      committedAt: null,
    })
    const detail = { fileName: cleanName(fileName), bytes: body?.sentBytes ?? null }
    await recordAudit(tx, { actor, action: 'upload.receive', target: id, detail, requestId }, now)
  })
  await withDatabaseErrors(() => work)
  return id
}

async function lookThrough(
  source: AsyncIterable<Uint8Array>,
  file: string,
  { contentType, told, actor, now }: UploadOrder,
): Promise<{ body: Body | null; preview: UploadPreview }> {
  let body: Body | null = null
  try {
    body = await readBody(source, { file, contentType })
    const preview = await previewResults(database(), {
      body,
      provenance: 'manual',
      actor,
      told,
      now,
    })
    return { body, preview }
  } catch (error) {
    await rm(file, { force: true })
    if (!(error instanceof AppError) || !FILE_CODES.has(error.code)) throw error
    return { body, preview: unreadablePreview(error.message) }
  }
}

/** A stranger's file name, short enough for a row; pages make its odd characters visible. */
function cleanName(name: string): string {
  return Buffer.from(name.slice(0, 200)).toString('utf8') || 'unnamed'
}
