import { z } from 'zod'
import type { Scope } from '../accounts/index.ts'
import { digestSchema } from '../digest/index.ts'
import { shardReplySchema, shardReportSchema } from '../executors/index.ts'
import {
  registeredPlanSchema,
  registeredRunSchema,
  registrationRequestSchema,
} from '../ledger/index.ts'
import { anyBundleSchema, instantSchema, provenanceSchema } from '../record/index.ts'
import { previewRunSchema, uploadPreviewSchema } from './upload-view.ts'

/** Request and response of one route that writes, for the documentation. */
export type WriteEndpoint = {
  id: string
  method: 'post' | 'put' | 'delete'
  /** Path below /api/v1. */
  path: string
  summary: string
  description?: string
  /** Permission that a token needs; `run:report` = the token of that run, which can do nothing else. */
  scope: Scope | 'run:report'
  body: { name: string; schema: z.ZodType }
  /** Media types of the body. */
  types: readonly [string, ...string[]]
  response: { name: string; schema: z.ZodType }
  statuses: readonly number[]
}

/** Response to submitted results: stored (201), already stored (200), or what a dry run would store (200). */
export const submissionResponseSchema = z.object({
  status: z.enum(['committed', 'duplicate', 'previewed']),
  summary: z.string(),
  format: z.string(),
  counts: uploadPreviewSchema.shape.counts,
  leftOut: uploadPreviewSchema.shape.leftOut.unwrap(),
  runs: z.array(previewRunSchema.extend({ url: z.string() })),
  evidence: uploadPreviewSchema.shape.evidence,
  body: z.object({ digest: digestSchema, bytes: z.number().int().nonnegative() }),
  provenance: provenanceSchema,
  /** The sender's identity: a workflow's repository, commit and run. Null = only a token. */
  vouchedBy: z.unknown(),
  requestId: z.string(),
})

const entrySchema = z.object({
  planDigest: digestSchema,
  /** Its sequence number in the public ledger, the server's time of receipt, and the entry's hash. */
  sequence: z.number().int(),
  receivedAt: instantSchema,
  hash: digestSchema,
  /** Null = registered by its digest alone. */
  plan: registeredPlanSchema.nullable(),
  runs: z.array(registeredRunSchema),
  /** Number of runs that have to be submitted. */
  expected: z.number().int(),
  /** The sender that registered it: results count as registered only when they come from the same sender. */
  voucher: z.string(),
  sender: z.string(),
})

/** Response to a registered plan: written (201), or already registered (200). */
export const registrationResponseSchema = entrySchema.extend({
  status: z.enum(['registered', 'known']),
  summary: z.string(),
  requestId: z.string(),
})

/** Every API route that writes. */
export const WRITE_ENDPOINTS: readonly WriteEndpoint[] = [
  {
    id: 'submitResults',
    method: 'post',
    path: '/results',
    summary: 'Upload results',
    description:
      'Accepts a result bundle, envelopes, an archive of run folders, or a file of another program. Everything is stored, or nothing; a run in a file of another program that is not sound is left out, by name (`leftOut`). Requires an upload token, or a workflow identity token that contains the digest of the body. Uploads are idempotent. With `?dryRun=1` nothing is stored.',
    scope: 'results:write',
    body: { name: 'Bundle', schema: anyBundleSchema },
    types: [
      'application/json',
      'application/x-ndjson',
      'application/xml',
      'application/gzip',
      'application/zip',
      'application/x-tar',
    ],
    response: { name: 'SubmissionAnswer', schema: submissionResponseSchema },
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
    response: { name: 'RegistrationAnswer', schema: registrationResponseSchema },
    statuses: [201, 400, 401, 403, 409, 413, 415, 429, 500, 503],
  },
  {
    id: 'reportShard',
    method: 'post',
    path: '/remote-runs/{runId}/progress',
    summary: 'Report the progress of a shard',
    description:
      'Reports the state of a shard that runs on another machine. The response to `started` contains the plan and the results of an earlier attempt; `stop` ends the shard. Requires the token of that run, or the identity of the workflow run that was started for it.',
    scope: 'run:report',
    body: { name: 'ShardReport', schema: shardReportSchema },
    types: ['application/json'],
    response: { name: 'ShardReply', schema: shardReplySchema },
    statuses: [400, 401, 403, 409, 413, 415, 429, 500, 503],
  },
  {
    id: 'submitShardResults',
    method: 'post',
    path: '/remote-runs/{runId}/results',
    summary: 'Upload results of a shard',
    description:
      'Like `/results`, for one try of one shard (`?shard=2&try=1`): only episodes of that run and shard are taken. Uploads are idempotent. Requires what reports of the shard require.',
    scope: 'run:report',
    body: { name: 'Bundle', schema: anyBundleSchema },
    types: ['application/json', 'application/gzip', 'application/x-tar'],
    response: { name: 'SubmissionAnswer', schema: submissionResponseSchema },
    statuses: [201, 400, 401, 403, 409, 413, 415, 422, 429, 500, 503],
  },
]

/** Registrations of one plan, oldest first, each with its received runs. */
export const planRegistrationsSchema = z.object({
  planDigest: digestSchema,
  registrations: z.array(
    entrySchema.extend({
      /** Ids of the received runs; a registration of a number only includes runs that it did not name. */
      received: z.array(z.string()),
      /** Runs that an administrator removed; they no longer have to be submitted. */
      removed: z.array(z.string()),
    }),
  ),
})
