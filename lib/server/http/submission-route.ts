import { z } from 'zod'
import { countOf } from '#lib/domain/text/index.ts'
import type { UploadPreview } from '../../domain/api/index.ts'
import { submissionDetailsSchema } from '../../domain/formats/index.ts'
import { env } from '../../env.ts'
import { AppError } from '../../errors.ts'
import { BODY_LIMITS, formatMegabytes } from '../ingest/limits.ts'
import {
  type ReceivedSubmission,
  type ReceiveOptions,
  receiveSubmission,
  requireSender,
} from '../ingest/receive-submission.ts'
import { postRoute } from './post-route.ts'
import { parseQuery } from './request.ts'
import { respondDone, respondProblem } from './respond.ts'

/** Details that another program's file has no field for, beside the switch: `?subject=claude-code&suite=…`. */
const querySchema = z.strictObject({
  ...submissionDetailsSchema.shape,
  dryRun: z.enum(['0', '1', 'true', 'false']).default('0'),
})
type Params = Readonly<Record<string, string>>
type Admitted = Pick<ReceiveOptions, 'sender' | 'dryRun' | 'details' | 'remote'>

/** Creates the POST route for a program's results, with an upload token or a workflow's identity. */
export function submissionRoute() {
  return resultsRoute({
    admit: (request, _, now) => requireSender(request.headers, now),
    order: (request, sender) => {
      const { dryRun, ...details } = parseQuery(request, querySchema)
      return { sender, dryRun: dryRun === '1' || dryRun === 'true', details }
    },
  })
}

type ResultsRoute<A extends { key: string }> = {
  /** Returns the sender; `key` identifies the rate limit. */
  admit: (request: Request, params: Params, now: Date) => Promise<A>
  /** The requested work; called once the request is counted. */
  order: (request: Request, admitted: A) => Admitted | Promise<Admitted>
}

/** Creates a POST route for results: limit, authorise, stream, store, respond. */
export function resultsRoute<A extends { key: string }>({ admit, order }: ResultsRoute<A>) {
  return postRoute<Params>({
    refused: 'nothing was stored',
    response: async ({ request, params, requestId, count }) => {
      // Before anything waits, because a sender that has hung up by then would not receive it.
      refuseDeclared(request.headers)
      const now = new Date()
      const admitted = await admit(request, params, now)
      count('writes', admitted.key, env().writesPerMinute)
      const received = await receiveSubmission(request.body ?? nothing(), {
        ...(await order(request, admitted)),
        contentType: request.headers.get('content-type') ?? '',
        isDeclaredGzip: isDeclaredGzip(request.headers),
        requestId,
        now,
      })
      return respondSubmission(received, requestId)
    },
  })
}

/** Refuses a declared length that is too large; it is not used for anything else. */
function refuseDeclared(headers: Headers): void {
  const { sentBytes } = BODY_LIMITS
  if (Number(headers.get('content-length') ?? 0) <= sentBytes) return
  const message = `the upload is larger than ${formatMegabytes(sentBytes)}: split it into smaller uploads`
  throw new AppError('too-large', message)
}

async function* nothing(): AsyncGenerator<Uint8Array> {}

function isDeclaredGzip(headers: Headers): boolean {
  const encoding = (headers.get('content-encoding') ?? '').trim().toLowerCase()
  if (encoding === 'gzip' || encoding === 'x-gzip') return true
  if (encoding === '' || encoding === 'identity') return false
  const message = `only gzip can be unpacked here, not Content-Encoding ${JSON.stringify(encoding.slice(0, 60))}`
  throw new AppError('unsupported-type', message)
}

/** Responds to a submission, for its sender's log: 201, 200, or a problem that names every flaw. */
function respondSubmission(received: ReceivedSubmission, requestId: string): Response {
  const { status, preview } = received
  if (status === 'refused') return refuse(received, requestId)
  const body = { status, summary: summarise(received), ...describe(received), requestId }
  if (status !== 'committed') return respondDone(body)
  const [run] = preview.runs
  return respondDone(body, { status: 201, headers: run && { Location: runAddress(run) } })
}

/** Returns the problem. A flaw of the upload itself comes first: it does not depend on stored data. */
function refuse(received: ReceivedSubmission, requestId: string): Response {
  const { counts, items, problem } = received.preview
  const isFlawed = problem !== null || counts.rejected > 0
  const errors = items
    .filter(({ kind }) => kind === 'rejected' || kind === 'conflict')
    .map(({ path, message }) => ({ path, message: message ?? 'cannot be stored' }))
  if (problem !== null) errors.unshift({ path: '(root)', message: problem })
  const omitted = Math.max(0, counts.rejected + counts.conflict - errors.length)
  const first = errors[0] ? ` ${errors[0].path}: ${errors[0].message}.` : ''
  return respondProblem({
    status: isFlawed ? 422 : 409,
    code: isFlawed ? 'invalid-episode' : 'conflict',
    detail: `Nothing was stored: ${counts.rejected} rejected, ${counts.conflict} in conflict with stored data.${first}`,
    requestId,
    errors,
    more: { errorsOmitted: omitted, ...describe(received) },
  })
}

function describe({ preview, body, provenance, vouched }: ReceivedSubmission) {
  const { format, counts, runs, leftOut, evidence } = preview
  return {
    format,
    counts,
    leftOut,
    runs: runs.map((run) => ({ ...run, url: runAddress(run) })),
    evidence,
    body: { digest: body.digest, bytes: body.sentBytes },
    provenance,
    vouchedBy: vouched,
  }
}

function summarise({ status, preview, provenance }: ReceivedSubmission): string {
  const { counts, evidence } = preview
  const left = preview.leftOut.count > 0 ? `, ${preview.leftOut.count} left out` : ''
  const sums = `${counts.new} new, ${counts.duplicate} already stored${left}`
  if (status === 'duplicate') return `Nothing to do: everything is already stored (${sums}).`
  const added =
    evidence.added > 0
      ? `, ${countOf(evidence.added, 'evidence file')} added to stored episodes`
      : ''
  if (status === 'previewed') return `Dry run: ${sums}${added}. Nothing was stored.`
  return `Stored with provenance ${provenance}: ${sums}${added}.`
}

function runAddress({ runId }: UploadPreview['runs'][number]): string {
  return `${env().publicUrl.replace(/\/$/, '')}/runs/${encodeURIComponent(runId)}`
}
