import { rm } from 'node:fs/promises'
import type { DbOrTx } from '#lib/db/open-db.ts'
import { listForeignRuns } from '#lib/db/registration-store.ts'
import { readKeptRuns } from '#lib/db/results-store.ts'
import type { Actor } from '#lib/domain/access.ts'
import type { Provenance } from '#lib/domain/board/episode-fact.ts'
import type { Shard } from '#lib/domain/expand-plan.ts'
import type { Told } from '#lib/domain/formats/told.ts'
import type { UploadPreview } from '#lib/domain/ingest/upload-preview.ts'
import { voucherKey } from '#lib/domain/ledger/voucher-key.ts'
import { voucherOfActor } from '#lib/domain/voucher.ts'
import type { Body } from './body/read-body.ts'
import { decideResults } from './decide-results.ts'
import { describePreview } from './describe-preview.ts'
import { inspectResults } from './inspect-results.ts'
import { recognise } from './recognise.ts'
import { openScratch } from './scratch-folder.ts'

/** Who hands in what, and how far that is vouched for. `shard` overrides what a bundle says of itself. */
export type ResultsOrder = {
  body: Body
  provenance: Provenance
  shard?: Shard | undefined
  /** What the sender says beside the file, where its format has no place for it. */
  told?: Told | undefined
  now: Date
}

type PreviewOrder = ResultsOrder & { actor: Actor }

/** What committing a body would write; writes nothing that stays. Throws an AppError when it is nothing we read. */
export async function previewResults(
  db: DbOrTx,
  { body, provenance, actor, shard, told, now }: PreviewOrder,
): Promise<UploadPreview> {
  const scratch = await openScratch()
  try {
    const recognised = await recognise(body, scratch.folder, told)
    const inspected = await inspectResults(recognised, { db, now, shard })
    const kept = await readKeptRuns(
      db,
      inspected.runs.map(({ runId }) => runId),
    )
    const unknown = inspected.runs.filter(({ runId }) => !kept.has(runId))
    const runIds = unknown.map(({ runId }) => runId)
    const foreign = await listForeignRuns(db, runIds, voucherKey(provenance, actor))
    const sender = { provenance, voucher: voucherOfActor(actor, provenance), foreign }
    return describePreview(inspected, decideResults(inspected, kept, sender))
  } finally {
    await rm(scratch.folder, { recursive: true, force: true })
    scratch.release()
  }
}
