import { z } from 'zod'
import { POLICY } from '#lib/domain/eligibility/index.ts'
import { releasedSchema, slugSchema } from '#lib/domain/record/index.ts'

const { aggregateEpisodes, perTaskEpisodes, voidShare } = POLICY.thresholds
const atLeast = (min: number) =>
  z
    .number()
    .int()
    .min(min, { error: `is looser than the policy's ${min}: a suite may only be stricter` })

const ownThresholdsSchema = z.strictObject({
  aggregateEpisodes: atLeast(aggregateEpisodes).optional(),
  perTaskEpisodes: atLeast(perTaskEpisodes).optional(),
  voidShare: z
    .number()
    .min(0)
    .max(voidShare, {
      error: `is looser than the policy's ${voidShare}: a suite may only be stricter`,
    })
    .optional(),
})

/** `suite.json`: a suite's own description. */
export const suiteFileSchema = z.object({
  suiteId: slugSchema,
  /** The name of a folder in runner/kinds. */
  kind: slugSchema,
  title: z.string().min(1).max(200),
  description: z.string().max(2000),
  version: z.string().min(1).max(40),
  /** The day since which its tasks have been public, unless a task states its own; absent = unknown. */
  released: releasedSchema.optional(),
  /** Its own thresholds of the evidence rules; a suite may only be stricter than the policy. */
  thresholds: ownThresholdsSchema.optional(),
  source: z
    .object({ url: z.string().max(500), ref: z.string().max(200) })
    .nullable()
    .optional(),
})

export type SuiteFile = z.infer<typeof suiteFileSchema>
