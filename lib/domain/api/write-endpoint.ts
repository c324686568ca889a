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
    summary: 'Upload results',
    description:
      'Accepts a result bundle, envelopes, an archive of run folders, or a file of another program. Everything is stored, or nothing. Requires an upload token, or a workflow identity token that contains the digest of the body. Uploads are idempotent. With `?dryRun=1` nothing is stored.',
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
    summary: 'Register a frozen plan before its first episode',
    description:
      'Accepts a plan or its digest, with the ids or the number of its runs. Adds an entry with the server’s time to the public ledger; from then on the runs are expected. Requires an upload token, or a workflow identity token that contains the digest of the body. Results count as registered only if the same sender uploads them. Requests are idempotent.',
    scope: 'results:write',
    body: { name: 'RegistrationRequest', schema: registrationRequestSchema },
    types: ['application/json'],
    answer: { name: 'RegistrationAnswer', schema: registrationAnswerSchema },
    statuses: [201, 400, 401, 403, 409, 413, 415, 429, 500, 503],
  },
]
