import { z } from 'zod'
import { databaseError } from '#lib/db/database-error.ts'
import { toldSchema } from '#lib/domain/formats/told.ts'
import { env } from '#lib/env.ts'
import { AppError } from '#lib/errors.ts'
import { BODY_LIMITS, sayMegabytes } from '#lib/ingest/limits.ts'
import { receiveSubmission } from '#lib/ingest/submissions/receive-submission.ts'
import { requireSender } from '#lib/ingest/submissions/require-sender.ts'
import { followRequest } from './follow-request.ts'
import { parseQuery } from './parse-query.ts'
import { addressOf } from './rate-gate.ts'
import { type Limited, RateLimit } from './rate-limit.ts'
import { respondError } from './respond-problem.ts'
import { respondSubmission } from './respond-submission.ts'

/** Beside the switch, what a file of another program has no place for: `?subject=claude-code&suite=…`. */
const querySchema = z.strictObject({
  ...toldSchema.shape,
  dryRun: z.enum(['0', '1', 'true', 'false']).default('0'),
})
/** Before anybody is known: a whole office behind one address, but no flood of made-up tokens. */
const ADDRESS_LIMIT = { perMinute: 300, burst: 300 }

/** POST of results by a program: limit, authorise, stream, keep, tell; whatever is thrown becomes a problem. */
export function submissionRoute() {
  const addresses = new RateLimit('address')
  const writes = new RateLimit('writes')
  return (request: Request): Promise<Response> =>
    followRequest(request, async (requestId) => {
      let headers: Record<string, string> = {}
      const pass = (limited: Limited) => {
        headers = limited.headers
        if (!limited.allowed) throw tooMany(limited.retryAfterMs)
      }
      try {
        const address = addressOf(request.headers)
        if (address !== null) pass(addresses.take(address, ADDRESS_LIMIT))
        const now = new Date()
        const perMinute = env().writesPerMinute
        const sender = await requireSender(request.headers, now)
        pass(writes.take(sender.key, { perMinute, burst: perMinute }))
        const { dryRun, ...told } = parseQuery(request, querySchema)
        const received = await receiveSubmission(openBody(request), {
          sender,
          dryRun: dryRun === '1' || dryRun === 'true',
          told,
          contentType: request.headers.get('content-type') ?? '',
          saysGzip: saysGzip(request.headers),
          requestId,
          now,
        })
        return respondSubmission(received, { requestId, headers })
      } catch (error) {
        return respondError(databaseError(error), requestId, headers)
      }
    })
}

/** What a request says of its length is believed only when that is a reason to refuse. */
function openBody({ headers, body }: Request): AsyncIterable<Uint8Array> {
  const { sentBytes } = BODY_LIMITS
  if (Number(headers.get('content-length') ?? 0) > sentBytes) {
    const message = `the upload is larger than ${sayMegabytes(sentBytes)}: split it into smaller uploads`
    throw new AppError('too-large', message)
  }
  return body ?? nothing()
}

async function* nothing(): AsyncGenerator<Uint8Array> {}

function saysGzip(headers: Headers): boolean {
  const said = (headers.get('content-encoding') ?? '').trim().toLowerCase()
  if (said === 'gzip' || said === 'x-gzip') return true
  if (said === '' || said === 'identity') return false
  const message = `only gzip can be unpacked here, not Content-Encoding ${JSON.stringify(said.slice(0, 60))}`
  throw new AppError('unsupported-type', message)
}

function tooMany(retryAfterMs: number): AppError {
  const seconds = Math.ceil(retryAfterMs / 1000)
  const message = `Rate limit exceeded: nothing was stored, send it again in ${seconds} s.`
  return new AppError('too-many-requests', message, { retryAfterMs })
}
