import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { database } from '#lib/db/database.ts'
import { saveSubmission } from '#lib/db/submission-store.ts'
import type { Told } from '#lib/domain/formats/told.ts'
import { canCommit, type UploadPreview } from '#lib/domain/ingest/upload-preview.ts'
import type { Vouched } from '#lib/domain/oidc/workflow-claims.ts'
import { type Body, readBody } from '../body/read-body.ts'
import { type Committed, commitResults } from '../commit-results.ts'
import { previewResults } from '../preview-results.ts'
import { openScratch } from '../scratch-folder.ts'
import type { Sender } from './require-sender.ts'
import { takeTurn } from './take-turn.ts'

type Order = {
  sender: Sender
  contentType: string
  saysGzip: boolean
  /** Look and write nothing. */
  dryRun: boolean
  /** What the sender says beside a file that has no place for it. */
  told: Told
  requestId: string
  now: Date
}

/** What came of a submission. `previewed` and `refused` wrote nothing; the body was received whole in any case. */
export type Received = {
  status: Exclude<Committed['status'], 'changed'> | 'previewed'
  preview: UploadPreview
  body: Pick<Body, 'digest' | 'sentBytes'>
  provenance: Sender['provenance']
  vouched: Vouched | null
}

/** Takes a program's results in: streamed to disk, bound to its sender, and then kept whole or not at all. Throws an AppError. */
export async function receiveSubmission(
  source: AsyncIterable<Uint8Array>,
  order: Order,
): Promise<Received> {
  const scratch = await openScratch()
  try {
    const file = join(scratch.folder, 'body')
    const { contentType, saysGzip, sender } = order
    const body = await readBody(source, { file, contentType, saysGzip })
    const { provenance, bind } = sender
    const vouched = await bind(body.digest)
    const { status, preview } = await takeTurn(() => decide(body, vouched, order))
    return { status, preview, body, provenance, vouched }
  } finally {
    await rm(scratch.folder, { recursive: true, force: true })
    scratch.release()
  }
}

async function decide(
  body: Body,
  vouched: Vouched | null,
  { sender, dryRun, told, requestId, now }: Order,
): Promise<Pick<Received, 'status' | 'preview'>> {
  const { provenance, actor } = sender
  if (dryRun) {
    const preview = await previewResults(database(), { body, provenance, actor, told, now })
    return { status: canCommit(preview) ? 'previewed' : 'refused', preview }
  }
  const { status, preview } = await commitResults(database(), {
    body,
    provenance,
    told,
    actor,
    requestId,
    now,
    action: 'results.submit',
    alsoWrite: async (tx, written) => {
      const { digest: bodyDigest, sentBytes: bytes } = body
      const runIds = written.runs.filter(({ counts }) => counts.new > 0).map(({ runId }) => runId)
      const who = { provenance, actor: actor.name, vouched, requestId }
      await saveSubmission(tx, { bodyDigest, bytes, ...who, runIds }, now)
    },
  })
  // Nobody was shown anything before, so nothing can have changed.
  if (status === 'changed') throw new Error('a commit without a preview says that it has changed')
  return { status, preview }
}
