import { z } from 'zod'
import { digestSchema } from '../digest/index.ts'
import { planSchema } from '../record/index.ts'

/** The state of a shard. `failed` = its engine retries it; `given-up` = it does not. */
export const SHARD_STATES = [
  'waiting',
  'running',
  'failed',
  'done',
  'given-up',
  'cancelled',
] as const
export type ShardState = (typeof SHARD_STATES)[number]

/** True for final states. */
export function isShardOver(state: ShardState): boolean {
  return state === 'done' || state === 'given-up' || state === 'cancelled'
}

const line = z.string().max(500)
/** Enough for the open attempts of 64 concurrent episodes; the run's whole log is not sent. */
const MAX_JOURNAL_LINES = 1000
export const MAX_REPORT_BYTES = 256 * 1024

const shardNumber = z.number().int().min(1).max(10_000)
const tryNumber = z.number().int().min(1).max(10_000)

/**
 * A report from a shard. `started` asks whether to work at all; `running` is repeated; `done` follows the last results;
 * `failed` says why the process ended early.
 */
export const shardReportSchema = z.discriminatedUnion('event', [
  z.strictObject({
    event: z.literal('started'),
    shard: shardNumber,
    host: z.string().min(1).max(253),
  }),
  z.strictObject({
    event: z.literal('running'),
    shard: shardNumber,
    try: tryNumber,
    /** Finished episodes of the shard, stored here or not yet. */
    sealed: z.number().int().min(0).max(10_000_000),
    /** Lines of the runner's journal about attempts whose results are not stored here yet. */
    journal: z.array(line).max(MAX_JOURNAL_LINES).optional(),
  }),
  z.strictObject({
    event: z.literal('done'),
    shard: shardNumber,
    try: tryNumber,
    /** Reason why episodes were left out; null = all were run. */
    leftOut: z.string().max(500).nullable(),
  }),
  z.strictObject({
    event: z.literal('failed'),
    shard: shardNumber,
    try: tryNumber,
    reason: z.string().min(1).max(500),
  }),
])
export type ShardReport = z.infer<typeof shardReportSchema>

/** Response to a report. `stop` = end the process: the shard is done, or its run was stopped. */
export const shardReplySchema = z.object({
  state: z.enum(['go', 'stop']),
  /** One sentence for the shard's log. */
  summary: z.string(),
  /** Sent with `go` in response to `started`: the work to do. */
  work: z
    .object({
      try: tryNumber,
      shards: shardNumber,
      plan: planSchema,
      concurrency: z.number().int().min(1).max(64),
      spendCapMicroUsd: z.number().int().positive().nullable(),
      /** Attempts that an earlier try started and did not finish. */
      journal: z.array(line),
      /** True if an earlier try stored episodes: the shard fetches them and continues from there. */
      hasEpisodes: z.boolean(),
      /** Hash of the run's registration, for its episodes; absent from earlier servers. */
      registration: digestSchema.optional(),
    })
    .nullable(),
})
export type ShardReply = z.infer<typeof shardReplySchema>

/** Prefix and shape of a run's token, recognisable to people and secret scanners. */
export const RUN_TOKEN = /^pbr_[0-9A-Za-z]{43}$/
/** Environment variable with a shard's token. */
export const RUN_TOKEN_VARIABLE = 'PROOFBOARD_RUN_TOKEN'
