import { z } from 'zod'
import { recordAudit } from '../../db/audit-store.ts'
import { database } from '../../db/database.ts'
import type { DbOrTx } from '../../db/db.ts'
import {
  endUpload,
  findUpload,
  listUploadRows,
  saveUploadReport,
  type UploadRow,
} from '../../db/submission-store.ts'
import { inTransaction } from '../../db/transaction.ts'
import { restoreUploadBytes } from '../../db/upload-bytes-store.ts'
import type { Actor } from '../../domain/accounts/index.ts'
import {
  canCommit,
  effectBase,
  type UploadEffect,
  type UploadPreview,
  type UploadView,
  uploadEffectSchema,
  uploadPreviewSchema,
} from '../../domain/api/index.ts'
import { digestSchema } from '../../domain/digest/index.ts'
import { type SubmissionDetails, submissionDetailsSchema } from '../../domain/formats/index.ts'
import { AppError } from '../../errors.ts'
import { type Committed, commitResults } from './commit-results.ts'
import { foreseeEffect, hasSameBase } from './foresee-effect.ts'
import { previewResults } from './preview-results.ts'
import type { Body } from './read-body.ts'
import { withSubmissionMutex } from './receive-submission.ts'
import { removeBytes, uploadFile, uploadIdSchema } from './upload-files.ts'

const MAX_LISTED = 50

/** Lists recent uploads, newest first. */
export async function listUploads(): Promise<UploadView[]> {
  return (await listUploadRows(database(), MAX_LISTED)).map(toView)
}

/** Returns an upload; null = it does not exist. */
export async function getUpload(id: string): Promise<UploadView | null> {
  const row = isUploadId(id) ? await findUpload(database(), id) : null
  return row && toView(row)
}

/** Returns whether the boards changed since the effect of an upload was computed. */
export async function isOutdated({ effect, state }: UploadView): Promise<boolean> {
  if (effect === null || state !== 'previewed') return false
  return !(await hasSameBase(database(), effect))
}

type Confirmation = {
  id: string
  /** The digest of the preview that was on the page. */
  expected: string
  /** The state of the boards that the page's effect was computed from; absent = none was shown. */
  base?: string | undefined
  actor: Actor
  requestId: string | null
  now: Date
}

/**
 * Writes what an upload's preview showed, or shows it again when it would write something else by now. Throws an
 * AppError when the upload is gone, or when too many uploads wait.
 */
export function commitUpload(confirmation: Confirmation): Promise<Committed> {
  return withSubmissionMutex(() => commitShown(confirmation))
}

async function commitShown({
  id,
  expected,
  base,
  actor,
  requestId,
  now,
}: Confirmation): Promise<Committed> {
  const db = database()
  const row = await findUpload(db, id)
  if (!row) throw new AppError('not-found', 'No such upload.')
  const { body, preview, details, effect } = readReport(row)
  if (row.state === 'committed') return { status: 'duplicate', preview }
  if (row.state === 'discarded' || !body) throw gone()
  if (!(await restoreUploadBytes(db, id, body.file))) throw gone()
  const options = { body, actor, requestId, now, details, provenance: 'manual' as const }
  const work = commitResults(db, {
    ...options,
    expected,
    action: 'upload.commit',
    alsoWrite: async (tx, written) => {
      if (effect && base !== undefined) await requireSameBoards(tx, effect, base)
      const end = { report: writeReport(body, written, { details, effect }), committedAt: now }
      if (await endUpload(tx, id, { state: 'committed', ...end })) return
      throw new AppError('conflict', 'The upload was already committed or discarded.')
    },
  })
  const done = await work.catch((error: unknown): Committed => {
    if (error instanceof BoardsChanged) return { status: 'changed', preview }
    throw error
  })
  if (done.status === 'committed') await removeBytes(db, id)
  else await foreseeAgain(id, options)
  return done
}

/**
 * Computes the preview of a pending upload again. Throws an AppError when the upload is gone, or when too many uploads
 * wait.
 */
export function refreshUpload(id: string, actor: Actor, now: Date): Promise<void> {
  return withSubmissionMutex(() => previewAgain(id, actor, now))
}

async function previewAgain(id: string, actor: Actor, now: Date): Promise<void> {
  const row = await findUpload(database(), id)
  const report = row?.state === 'previewed' ? readReport(row) : null
  if (!report?.body || !(await restoreUploadBytes(database(), id, report.body.file))) throw gone()
  const { body, details } = report
  await foreseeAgain(id, { body, details, actor, now, provenance: 'manual' })
}

async function foreseeAgain(
  id: string,
  options: Parameters<typeof previewResults>[1] & { body: Body; details: SubmissionDetails },
): Promise<void> {
  const db = database()
  const preview = await previewResults(db, options)
  const effect = canCommit(preview) ? await foreseeEffect(db, options, preview) : null
  const { body, details } = options
  await saveUploadReport(db, id, writeReport(body, preview, { details, effect }))
}

function gone(): AppError {
  return new AppError('not-found', 'The file was already deleted: upload it again.')
}

/** The boards changed since the confirmed page. */
class BoardsChanged extends Error {}

async function requireSameBoards(tx: DbOrTx, effect: UploadEffect, base: string): Promise<void> {
  if (base !== effectBase(effect) || !(await hasSameBase(tx, effect, { written: true })))
    throw new BoardsChanged()
}

type Discard = { id: string; actor: Actor; requestId: string | null; now: Date }

/** Discards a pending upload: removes its bytes, and keeps its row. */
export async function discardUpload({ id, actor, requestId, now }: Discard): Promise<void> {
  await inTransaction(database(), async (tx) => {
    if (!(await endUpload(tx, id, { state: 'discarded' })))
      throw new AppError(
        'conflict',
        'The upload was already committed or discarded: nothing was changed.',
      )
    await recordAudit(tx, { actor, action: 'upload.discard', target: id, requestId }, now)
  })
  await removeBytes(database(), id)
}

/** Report of an upload: what its bytes are, null when they were refused, and what they would write. */
const reportSchema = z.object({
  body: z
    .object({
      kind: z.enum(['text', 'zip', 'tar']),
      sentBytes: z.number().int(),
      digest: digestSchema,
    })
    .nullable(),
  preview: uploadPreviewSchema,
  /** Details that were sent with the file. */
  told: submissionDetailsSchema.optional(),
  effect: uploadEffectSchema.nullish(),
})

function isUploadId(text: string): boolean {
  return uploadIdSchema.safeParse(text).success
}

export function writeReport(
  body: Omit<Body, 'file'> | null,
  preview: UploadPreview,
  { details = {}, effect = null }: { details?: SubmissionDetails; effect?: UploadEffect | null },
): string {
  const kept = body && { kind: body.kind, sentBytes: body.sentBytes, digest: body.digest }
  return JSON.stringify({ body: kept, preview, told: details, effect })
}

function readReport({ id, report }: UploadRow): {
  body: Body | null
  preview: UploadPreview
  details: SubmissionDetails
  effect: UploadEffect | null
} {
  const { body, preview, ...rest } = reportSchema.parse(JSON.parse(report))
  const { told: details = {}, effect = null } = rest
  return { body: body && { ...body, file: uploadFile(id) }, preview, details, effect }
}

function toView(row: UploadRow): UploadView {
  const { id, fileName, bytes, createdBy } = row
  const { preview, effect } = readReport(row)
  return {
    id,
    fileName,
    bytes,
    createdBy,
    // JSON that only this module writes.
    state: row.state as UploadView['state'],
    createdAt: row.createdAt.toISOString(),
    committedAt: row.committedAt?.toISOString() ?? null,
    preview,
    effect,
  }
}
