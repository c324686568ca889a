import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { database } from '../../db/database.ts'
import { saveSubmission } from '../../db/submission-store.ts'
import type { Actor, Vouched } from '../../domain/accounts/index.ts'
import { canCommit, type UploadPreview } from '../../domain/api/index.ts'
import type { Digest } from '../../domain/digest/index.ts'
import type { SubmissionDetails } from '../../domain/formats/index.ts'
import { AppError } from '../../errors.ts'
import { processWide } from '../../process-wide.ts'
import { bindToken, looksLikeIdentity, requireWorkflow } from '../accounts/require-workflow.ts'
import { readBearer, requireToken } from '../accounts/tokens.ts'
import { FairQueue } from '../http/fair-queue.ts'
import { type Committed, commitResults } from './commit-results.ts'
import { openScratch } from './evidence-staging.ts'
import { previewResults } from './preview-results.ts'
import { type Body, readUploadBody } from './read-body.ts'
import type { RemoteLimits } from './remote-limits.ts'

export type ReceiveOptions = {
  sender: KnownSender
  contentType: string
  isDeclaredGzip: boolean
  /** Validates only, and stores nothing. */
  dryRun: boolean
  /** Details from the sender that the file's format has no field for. */
  details: SubmissionDetails
  /** Results of one shard of a run on other machines: nothing else is accepted, and the run continues. */
  remote?: RemoteLimits | undefined
  requestId: string
  now: Date
}

/**
 * The result of a submission. `previewed` and `refused` wrote nothing; the body was received completely in any case.
 */
export type ReceivedSubmission = {
  status: Exclude<Committed['status'], 'changed'> | 'previewed'
  preview: UploadPreview
  body: Pick<Body, 'digest' | 'sentBytes'>
  provenance: KnownSender['provenance']
  vouched: Vouched | null
}

/**
 * Receives a program's results: streamed to disk, bound to the sender, stored completely or not at all. Throws an
 * AppError.
 */
export async function receiveSubmission(
  source: AsyncIterable<Uint8Array>,
  options: ReceiveOptions,
): Promise<ReceivedSubmission> {
  const scratch = await openScratch()
  try {
    const file = join(scratch.folder, 'body')
    const { contentType, isDeclaredGzip, sender } = options
    const body = await readUploadBody(source, { file, contentType, isDeclaredGzip })
    const { provenance, bind } = sender
    const vouched = await bind(body.digest)
    const { status, preview } = await withSubmissionMutex(() => decide(body, vouched, options))
    return { status, preview, body, provenance, vouched }
  } finally {
    await rm(scratch.folder, { recursive: true, force: true })
    scratch.release()
  }
}

async function decide(
  body: Body,
  vouched: Vouched | null,
  { sender, dryRun, details, remote, requestId, now }: ReceiveOptions,
): Promise<Pick<ReceivedSubmission, 'status' | 'preview'>> {
  const { provenance, actor } = sender
  if (dryRun) {
    const preview = await previewResults(database(), { body, provenance, actor, details, now })
    return { status: canCommit(preview) ? 'previewed' : 'refused', preview }
  }
  const { status, preview } = await commitResults(database(), {
    body,
    provenance,
    details,
    remote,
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
  // There was no preview, so nothing can have changed.
  if (status === 'changed') throw new Error('a commit without a preview says that it has changed')
  return { status, preview }
}

/** Sender of results, and their provenance. */
export type KnownSender = {
  provenance: 'token' | 'oidc'
  actor: Actor
  /** Key of the rate limit: a token, or a repository with any token. */
  key: string
  /** Compares the identity with the received body; null = it does not name a body. Throws an AppError. */
  bind: (body: Digest) => Promise<Vouched | null>
}

/**
 * Returns the program of a request: an upload token with `results:write`, or a workflow's identity token. Throws an
 * AppError.
 */
export async function requireSender(headers: Headers, now: Date): Promise<KnownSender> {
  const secret = readBearer(headers)
  if (!looksLikeIdentity(secret)) {
    const actor = await requireToken(headers, 'results:write', now)
    return { provenance: 'token', actor, key: actor.id, bind: async () => null }
  }
  const admitted = await requireWorkflow(secret, now)
  const { actor } = admitted
  const bind = (body: Digest) => bindToken(admitted, body, now)
  return { provenance: 'oidc', actor, key: actor.id, bind }
}

/** Bodies read into memory at once; one of the largest takes a few hundred megabytes. */
const LIMITS = { total: 2, perNetwork: 2, waiting: 20 }
const RETRY_MS = 15_000

const bodies = processWide('submission bodies', () => new FairQueue(LIMITS))

/** Runs heavy work, limited in concurrency. Throws an AppError (too-many-requests) when many wait already. */
export function withSubmissionMutex<T>(work: () => Promise<T>): Promise<T> {
  return bodies.run(work, crowded)
}

function crowded(): AppError {
  const message = 'Too many concurrent uploads: nothing was stored, send it again.'
  return new AppError('too-many-requests', message, { retryAfterMs: RETRY_MS })
}
