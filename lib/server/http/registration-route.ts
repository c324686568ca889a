import { database } from '#lib/db/database.ts'
import { digestBytes } from '#lib/domain/digest/index.ts'
import { registrationRequestSchema, senderOfActor } from '#lib/domain/ledger/index.ts'
import { countOf, formatIssues, problemLines } from '#lib/domain/text/index.ts'
import { env } from '#lib/env.ts'
import { AppError } from '#lib/errors.ts'
import { requireSender } from '#lib/server/ingest/receive-submission.ts'
import {
  describeRegistration,
  type Registered,
  registerPlan,
} from '#lib/server/ingest/registrations.ts'
import { postRoute } from './post-route.ts'
import { readRequestBody } from './request.ts'
import { respondDone } from './respond.ts'
import { requireJsonType } from './write-route.ts'

/** A plan of ten thousand tasks with long names. */
const MAX_BYTES = 4_000_000

/** Creates the POST route for a program's frozen plan: limit, authorise, read, register, respond. */
export function registrationRoute() {
  return postRoute({
    refused: 'nothing was registered',
    response: async ({ request, requestId, count }) => {
      const sender = await requireSender(request.headers, new Date())
      count('writes', sender.key, env().writesPerMinute)
      requireJsonType(request.headers)
      const body = await readRequestBody(request, MAX_BYTES)
      const now = new Date()
      const bodyDigest = digestBytes(body)
      await sender.bind(bodyDigest)
      const { provenance, actor } = sender
      const registered = await registerPlan(database(), {
        request: parse(body),
        sender: senderOfActor(actor, provenance, bodyDigest),
        actor,
        requestId,
        now,
      })
      return respond(registered, requestId)
    },
  })
}

/** Says what is wrong in one sentence. Throws an AppError (invalid-request). */
function parse(body: Uint8Array) {
  let input: unknown
  try {
    input = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body))
  } catch {
    throw new AppError('invalid-request', 'Nothing was registered: the body is not JSON.')
  }
  const parsed = registrationRequestSchema.safeParse(input)
  if (parsed.success) return parsed.data
  const [line] = problemLines(formatIssues(parsed.error.issues), 1)
  throw new AppError('invalid-request', `Nothing was registered: ${line}.`)
}

function respond({ status, entry }: Registered, requestId: string): Response {
  const described = describeRegistration(entry)
  const { expected, sequence, receivedAt } = described
  const runs = `${countOf(expected, 'run')}`
  const summary =
    status === 'registered'
      ? `Registered as ledger entry ${sequence} at ${receivedAt}: ${runs} of this plan are expected.`
      : `Already registered as ledger entry ${sequence} at ${receivedAt}: nothing was written.`
  const body = { status, summary, ...described, requestId }
  return respondDone(body, { status: status === 'registered' ? 201 : 200 })
}
