import { z } from 'zod'
import { provenanceSchema } from '../board/episode-fact.ts'
import { digestSchema } from '../digest.ts'
import { shardSchema } from '../expand-plan.ts'
import { instantSchema, slugSchema } from '../names.ts'
import { settingsSchema } from '../plan.ts'
import { subjectSchema } from '../subject.ts'

export const MOST_REGISTERED_RUNS = 1000
export const runIdSchema = z.string().regex(/^run_[0-9a-z]{8,40}$/, 'is not the id of a run')

/** A run that is owed under its id; `shard` null = the whole plan. */
export const registeredRunSchema = z.object({ runId: runIdSchema, shard: shardSchema.nullable() })
export type RegisteredRun = z.infer<typeof registeredRunSchema>

/** Of a plan, what decides which row its runs belong to; null in an entry = registered by its digest alone. */
export const registeredPlanSchema = z.object({
  suiteId: slugSchema,
  suiteDigest: digestSchema,
  subject: subjectSchema,
  settings: settingsSchema,
  frozenAt: instantSchema,
  episodes: z.number().int().positive(),
})

/** Who sent something and what came: a part of the ledger's hash. */
export const senderSchema = z.object({
  provenance: provenanceSchema,
  /** What tells one sender from another; see `voucherKey`. */
  voucher: z.string().min(1).max(700),
  /** For reading; see `publicName`. */
  name: z.string().min(1).max(700),
  /** Of the bytes that were sent; null = nothing was sent, it was made here. */
  bodyDigest: digestSchema.nullable(),
})
export type Sender = z.infer<typeof senderSchema>
