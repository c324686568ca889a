import type { UploadPreview } from '#lib/domain/ingest/upload-preview.ts'
import { env } from '#lib/env.ts'
import type { Received } from '#lib/ingest/submissions/receive-submission.ts'
import { logSafeJson } from './log-safe-json.ts'
import { respondProblem } from './respond-problem.ts'

type Told = { requestId: string; headers: Readonly<Record<string, string>> }

/** What came of a submission, as its sender's log should have it: 201, 200, or a problem that names every flaw. */
export function respondSubmission(received: Received, { requestId, headers }: Told): Response {
  const { status, preview } = received
  if (status === 'refused') return refuse(received, { requestId, headers })
  const body = { status, summary: summarise(received), ...describe(received), requestId }
  return new Response(logSafeJson(body), {
    status: status === 'committed' ? 201 : 200,
    headers: {
      'Content-Type': 'application/json',
      'Cache-Control': 'no-store',
      ...(status === 'committed' && preview.runs[0] && { Location: runAddress(preview.runs[0]) }),
      ...headers,
    },
  })
}

/** A flaw of the upload itself comes first: it stays one whatever is kept here. */
function refuse(received: Received, { requestId, headers }: Told): Response {
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
    headers,
  })
}

function describe({ preview, body, provenance, vouched }: Received) {
  const { format, counts, runs, evidence } = preview
  return {
    format,
    counts,
    runs: runs.map((run) => ({ ...run, url: runAddress(run) })),
    evidence,
    body: { digest: body.digest, bytes: body.sentBytes },
    provenance,
    vouchedBy: vouched,
  }
}

function summarise({ status, preview, provenance }: Received): string {
  const { counts, evidence } = preview
  const sums = `${counts.new} new, ${counts.duplicate} already stored`
  if (status === 'duplicate') return `Nothing to do: everything is already stored (${sums}).`
  const added =
    evidence.added > 0 ? `, ${evidence.added} evidence files added to stored episodes` : ''
  if (status === 'previewed') return `Dry run: ${sums}${added}. Nothing was stored.`
  return `Stored with provenance ${provenance}: ${sums}${added}.`
}

function runAddress({ runId }: UploadPreview['runs'][number]): string {
  return `${env().publicUrl.replace(/\/$/, '')}/runs/${encodeURIComponent(runId)}`
}
