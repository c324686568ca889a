import { randomBytes } from 'node:crypto'
import { type Vouched, vouchedSchema, voucherOf } from '../domain/accounts/index.ts'
import type { SubmissionView } from '../domain/api/index.ts'
import type { Digest } from '../domain/digest/index.ts'
import type { DbOrTx } from './db.ts'
import type { Upload as UploadRow } from './generated/sqlite/client.ts'

export type { UploadRow }

type NewSubmission = {
  bodyDigest: Digest
  bytes: number
  provenance: 'token' | 'oidc'
  actor: string
  /** Null = it was sent with an upload token. */
  vouched: Vouched | null
  requestId: string
  runIds: readonly string[]
}

/** Records the sender of results. Call it inside their transaction. */
export async function saveSubmission(tx: DbOrTx, one: NewSubmission, now: Date): Promise<void> {
  const id = `sub_${randomBytes(12).toString('hex')}`
  const { vouched, runIds, ...columns } = one
  const claims = vouched && JSON.stringify(vouched)
  const voucher = vouched && voucherOf(vouched)
  await tx.submission.create({ data: { id, ...columns, claims, voucher, receivedAt: now } })
  await tx.submittedRun.createMany({
    data: runIds.map((runId) => ({ runId, submissionId: id })),
  })
}

/** Returns the first submission of a run and the claims of its sender's token; null = no program sent it. */
export async function findSubmission(db: DbOrTx, runId: string): Promise<SubmissionView | null> {
  const where = { runs: { some: { runId } } }
  const row = await db.submission.findFirst({ where, orderBy: { receivedAt: 'asc' } })
  if (!row) return null
  const vouched = row.claims === null ? null : vouchedSchema.parse(JSON.parse(row.claims))
  return { vouched, bodyDigest: row.bodyDigest, receivedAt: row.receivedAt.toISOString() }
}

export async function saveUpload(db: DbOrTx, row: UploadRow): Promise<void> {
  await db.upload.create({ data: row })
}

export async function findUpload(db: DbOrTx, id: string): Promise<UploadRow | null> {
  return db.upload.findUnique({ where: { id } })
}

/** Newest first. */
export async function listUploadRows(db: DbOrTx, limit: number): Promise<UploadRow[]> {
  return db.upload.findMany({ orderBy: [{ createdAt: 'desc' }, { id: 'asc' }], take: limit })
}

/** Ends a pending upload. False = it is no longer pending. */
export async function endUpload(
  db: DbOrTx,
  id: string,
  end: { state: 'committed' | 'discarded'; report?: string; committedAt?: Date },
): Promise<boolean> {
  const { count } = await db.upload.updateMany({ where: { id, state: 'previewed' }, data: end })
  return count > 0
}

/** Replaces the report of a pending upload. */
export async function saveUploadReport(db: DbOrTx, id: string, report: string): Promise<void> {
  await db.upload.updateMany({ where: { id, state: 'previewed' }, data: { report } })
}

/** Lists uploads pending since before `until`. */
export async function listPendingUploads(db: DbOrTx, until: Date): Promise<string[]> {
  const where = { state: 'previewed', createdAt: { lt: until } }
  const rows = await db.upload.findMany({ where, select: { id: true } })
  return rows.map(({ id }) => id)
}
