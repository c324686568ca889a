import { randomBytes } from 'node:crypto'
import type { Digest } from '../domain/digest.ts'
import { type Vouched, vouchedSchema, voucherOf } from '../domain/oidc/workflow-claims.ts'
import type { SubmissionView } from '../domain/views/submission-view.ts'
import type { DbOrTx } from './open-db.ts'

export type NewSubmission = {
  bodyDigest: Digest
  bytes: number
  provenance: 'token' | 'oidc'
  actor: string
  /** Null = an upload token vouched for it. */
  vouched: Vouched | null
  requestId: string
  runIds: readonly string[]
}

/** Notes who sent what; inside the commit of the results, or not at all. */
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

/** What came first of a run, and what its sender's token said; null = no program sent it. */
export async function findSubmission(db: DbOrTx, runId: string): Promise<SubmissionView | null> {
  const where = { runs: { some: { runId } } }
  const row = await db.submission.findFirst({ where, orderBy: { receivedAt: 'asc' } })
  if (!row) return null
  const vouched = row.claims === null ? null : vouchedSchema.parse(JSON.parse(row.claims))
  return { vouched, bodyDigest: row.bodyDigest, receivedAt: row.receivedAt.toISOString() }
}
