import type { z } from 'zod'
import type { Scope } from '../access.ts'
import { bundleSchema } from '../bundle.ts'
import { registrationRequestSchema } from '../ledger/registration-request.ts'
import { registrationAnswerSchema } from './registration-answer.ts'
import { submissionAnswerSchema } from './submission-answer.ts'

/** What one route that writes takes and answers, for the documentation. */
export type WriteEndpoint = {
  id: string
  method: 'post' | 'put' | 'delete'
  /** Below /api/v1. */
  path: string
  summary: string
  description?: string
  /** What a token needs. */
  scope: Scope
  body: { name: string; schema: z.ZodType }
  /** What the body may be sent as. */
  types: readonly [string, ...string[]]
  answer: { name: string; schema: z.ZodType }
  statuses: readonly number[]
}

/** Every route of the API that writes. */
export const WRITE_ENDPOINTS: readonly WriteEndpoint[] = [
  {
    id: 'submitResults',
    method: 'post',
    path: '/results',
    summary: 'Hand in results: all of it is kept, or nothing',
    description:
      'A result bundle, envelopes, an archive of run folders, or a file of another program. Under an upload token, or under the identity token of a workflow that names the digest of this very body. Sent twice it is kept once. With `?dryRun=1` nothing is written.',
    scope: 'results:write',
    body: { name: 'Bundle', schema: bundleSchema },
    types: [
      'application/json',
      'application/x-ndjson',
      'application/xml',
      'application/gzip',
      'application/zip',
      'application/x-tar',
    ],
    answer: { name: 'SubmissionAnswer', schema: submissionAnswerSchema },
    statuses: [201, 400, 401, 403, 409, 413, 415, 422, 429, 500, 503],
  },
  {
    id: 'registerPlan',
    method: 'post',
    path: '/plans',
    summary: 'Register a frozen plan before its first episode: its runs are owed from then on',
    description:
      'The plan, or its digest alone, with the ids or the number of its runs. Writes an entry into the public ledger; the server’s time counts. Under an upload token, or under the identity token of a workflow that names the digest of this very body; results count as registered only when the same sender submits them. Sent twice it is written once.',
    scope: 'results:write',
    body: { name: 'RegistrationRequest', schema: registrationRequestSchema },
    types: ['application/json'],
    answer: { name: 'RegistrationAnswer', schema: registrationAnswerSchema },
    statuses: [201, 400, 401, 403, 409, 413, 415, 429, 500, 503],
  },
]
