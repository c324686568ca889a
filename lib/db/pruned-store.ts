import type { PrunedNote } from '#lib/domain/api/index.ts'
import { type EvidenceFile, evidenceFileSchema } from '#lib/domain/record/index.ts'
import type { Chosen } from '#lib/domain/runs/index.ts'
import { type AuditRecord, recordAudit } from './audit-store.ts'
import { withDatabaseErrors } from './database-error.ts'
import type { Db, DbOrTx } from './db.ts'
import { unpackEnvelope } from './stored-episode.ts'
import { inTransaction } from './transaction.ts'

export type EvidencePage = {
  episodeId: string
  runId: string
  directory: string
  startedAt: string
  evidence: EvidenceFile[]
}[]

/** Yields pages of episodes whose files are stored here, so that the process stays responsive. */
export async function* pageEvidence(db: Db, take = 200): AsyncGenerator<EvidencePage> {
  let after = ''
  for (;;) {
    const rows = await db.episode.findMany({
      where: { directory: { not: null }, episodeId: { gt: after } },
      select: { episodeId: true, runId: true, directory: true, startedAt: true, envelope: true },
      orderBy: { episodeId: 'asc' },
      take,
    })
    if (rows.length === 0) return
    yield rows.map(({ envelope, directory, startedAt, ...row }) => {
      const { evidence } = JSON.parse(unpackEnvelope(envelope)) as { evidence: unknown }
      return {
        ...row,
        directory: directory ?? '',
        startedAt: startedAt.toISOString(),
        evidence: evidenceFileSchema.array().parse(evidence),
      }
    })
    after = rows.at(-1)?.episodeId ?? after
  }
}

/** Lists running and queued runs, whose files are not pruned. */
export async function listUnendedRuns(db: Db): Promise<Set<string>> {
  const where = { status: { in: ['queued', 'running'] } }
  const jobs = await db.job.findMany({ where, select: { runId: true, newRunId: true } })
  return new Set(jobs.flatMap(({ runId, newRunId }) => [runId ?? [], newRunId ?? []].flat()))
}

/** Records that files were removed, with one audit line, in one transaction. */
export async function savePruned(
  db: Db,
  files: readonly Chosen[],
  audit: AuditRecord,
  now: Date,
): Promise<void> {
  const data = files.map(({ path, runId, episodeId, bytes, reason }) => {
    return { path, runId, episodeId, bytes, reason, prunedAt: now }
  })
  const work = inTransaction(db, async (tx) => {
    await tx.prunedFile.createMany({ data })
    await recordAudit(tx, audit, now)
  })
  await withDatabaseErrors(() => work)
}

export async function listPrunedOf(db: DbOrTx, episodeId: string): Promise<PrunedNote[]> {
  const rows = await db.prunedFile.findMany({ where: { episodeId } })
  return rows.map(toNote)
}

export async function findPruned(db: DbOrTx, path: string): Promise<PrunedNote | null> {
  const row = await db.prunedFile.findUnique({ where: { path } })
  return row && toNote(row)
}

export async function listAllPruned(db: DbOrTx): Promise<Map<string, PrunedNote>> {
  const rows = await db.prunedFile.findMany()
  return new Map(rows.map((row) => [row.path, toNote(row)]))
}

export async function sumPruned(db: DbOrTx): Promise<{ files: number; bytes: number }> {
  const { _count, _sum } = await db.prunedFile.aggregate({ _count: true, _sum: { bytes: true } })
  return { files: _count, bytes: _sum.bytes ?? 0 }
}

function toNote(row: { path: string; prunedAt: Date; reason: string; bytes: number }): PrunedNote {
  const { path, prunedAt, reason, bytes } = row
  return { path, prunedAt: prunedAt.toISOString(), reason, bytes }
}
