import { z } from 'zod'
import type { Digest } from '../digest/index.ts'
import type { EvidenceFile } from '../record/index.ts'
import type { Atif } from './read-atif.ts'

const text = (max: number) => z.string().max(max)
const time = text(60).nullish()
const count = z.number().int().nonnegative().nullish()
const timing = z.object({ started_at: time, finished_at: time }).nullish()

/** `result.json` of a Harbor trial. */
export const harborTrialSchema = z.object({
  id: text(100).nullish(),
  task_name: z.string().min(1).max(1000),
  trial_name: z.string().min(1).max(1000),
  source: text(200).nullish(),
  task_checksum: text(200).nullish(),
  agent_info: z.object({
    name: z.string().min(1).max(200),
    version: text(100).nullish(),
    model_info: z.object({ name: text(200), provider: text(100).nullish() }).nullish(),
  }),
  /** Other members are not read: they may contain keys. */
  config: z
    .object({
      agent: z.object({ model_name: text(200).nullish() }).nullish(),
      job_id: text(100).nullish(),
    })
    .nullish(),
  agent_result: z
    .object({
      n_input_tokens: count,
      n_cache_tokens: count,
      n_output_tokens: count,
      cost_usd: z.number().nonnegative().nullish(),
    })
    .nullish(),
  verifier_result: z
    .object({
      // Null: not a number.
      rewards: z.union([z.number(), z.record(z.string(), z.number().nullable())]).nullish(),
      reward: z.number().nullish(),
    })
    .nullish(),
  exception_info: z
    .object({ exception_type: text(200), exception_message: z.string().nullish() })
    .nullish(),
  started_at: time,
  finished_at: time,
  environment_setup: timing,
  agent_setup: timing,
  agent_execution: timing,
  verifier: timing,
})
export type Trial = z.infer<typeof harborTrialSchema>

/** All available parts of one trial; null = missing. */
export type HarborTrial = {
  trial: Trial
  /** `verifier/reward.txt`. */
  reward: number | null
  trajectory: Atif | null
  recordDigest: Digest
  evidence: readonly EvidenceFile[]
}
