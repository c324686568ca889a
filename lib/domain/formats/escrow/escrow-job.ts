import { z } from 'zod'
import type { Digest } from '../../digest/index.ts'
import type { Plan } from '../../record/index.ts'
import { type HarborTrial, harborTrialSchema } from '../harbor-trial.ts'
import { atifSchema } from '../read-atif.ts'

const text = (max: number) => z.string().min(1).max(max)
const count = z.number().int().nonnegative().nullish()

/** `result.json` of a trial, whose configuration is compared with that of its job. */
export const escrowTrialSchema = harborTrialSchema.extend({
  id: text(100),
  task_checksum: text(200),
  config: z.looseObject({
    task: z.looseObject({ path: text(1000).nullish(), name: text(1000).nullish() }),
    job_id: text(100),
    agent: z.looseObject({ name: text(1000).nullish(), model_name: text(1000).nullish() }),
  }),
})

/** `result.json` of the job. */
export const escrowJobSchema = z.object({
  id: text(100),
  n_total_trials: z.number().int().nonnegative(),
  started_at: text(60),
  finished_at: text(60),
  stats: z.looseObject({ n_retries: count }).nullish(),
})

/** `lock.json` of the job. */
export const escrowLockSchema = z.object({
  created_at: text(60),
  harbor: z.object({
    version: text(40),
    git_commit_hash: text(100).nullish(),
    is_editable: z.boolean().nullish(),
  }),
})

const metrics = z
  .object({
    prompt_tokens: count,
    completion_tokens: count,
    cached_tokens: count,
    cost_usd: z.number().nonnegative().nullish(),
  })
  .nullish()

/** The members of a trajectory that have to agree with the trial's result. */
export const escrowAtifSchema = atifSchema.extend({
  agent: z.object({
    name: text(1000),
    version: text(200).nullish(),
    model_name: text(1000).nullish(),
  }),
  steps: z
    .array(
      z.looseObject({
        source: text(40),
        timestamp: text(60).nullish(),
        model_name: text(1000).nullish(),
        metrics,
        tool_calls: z.array(z.object({ function_name: z.string().max(200) })).nullish(),
        is_copied_context: z.boolean().nullish(),
      }),
    )
    .min(1)
    .max(100_000),
})
export type EscrowAtif = z.infer<typeof escrowAtifSchema>

/** A file of the workspace at the end of an attempt. */
export type StateFile = { path: string; executable: boolean; digest: Digest }

export type EscrowTrial = Omit<HarborTrial, 'trial' | 'trajectory'> & {
  trial: z.infer<typeof escrowTrialSchema>
  trajectory: EscrowAtif | null
  trajectoryDigest: Digest | null
  /** `config.json` of the trial; null = missing. */
  config: unknown
  /** Null = the workspace was not collected. */
  state: readonly StateFile[] | null
}

/** A job folder of Harbor, read. */
export type EscrowJob = {
  /** `config.json`. */
  config: unknown
  job: z.infer<typeof escrowJobSchema>
  lock: z.infer<typeof escrowLockSchema>
  trials: readonly EscrowTrial[]
}

/** A plan for another harness. */
export type EscrowPlan = Plan & { escrow: NonNullable<Plan['escrow']> }

/** Why a folder is refused: a stable code, and the rest of the sentence. */
export type EscrowProblem = { code: string; message: string }

/** The planned task of a trial; null = it is not planned. */
export function taskOf({ trial }: EscrowTrial, { escrow }: EscrowPlan): string | null {
  const found = Object.entries(escrow.tasks).find(([, { name }]) => name === trial.task_name)
  return found?.[0] ?? null
}
