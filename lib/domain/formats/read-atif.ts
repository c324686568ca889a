import { z } from 'zod'
import { countEach } from '../record/index.ts'

const count = z.number().int().nonnegative().nullish()

/** The counted members of an ATIF trajectory. */
export const atifSchema = z.object({
  steps: z
    .array(
      z.object({
        source: z.string().nullish(),
        /** Repeated from an earlier trajectory that this one continues. */
        is_copied_context: z.boolean().nullish(),
        tool_calls: z.array(z.object({ function_name: z.string().max(200) })).nullish(),
      }),
    )
    .nullish(),
  final_metrics: z
    .object({
      total_prompt_tokens: count,
      total_completion_tokens: count,
      total_cached_tokens: count,
      total_cost_usd: z.number().nonnegative().nullish(),
    })
    .nullish(),
})
export type Atif = z.infer<typeof atifSchema>

/** Counts responses of the model: a trajectory's step may also be a message to it. */
export function countSteps(trajectory: Atif | null): number | null {
  return agentSteps(trajectory)?.length ?? null
}

export function countTools(trajectory: Atif | null): Record<string, number> | null {
  const steps = agentSteps(trajectory)
  if (steps === null) return null
  const calls = steps.flatMap(({ tool_calls: own }) => own ?? [])
  return Object.fromEntries(countEach(calls.map(({ function_name: name }) => name)))
}

function agentSteps(trajectory: Atif | null) {
  const steps = trajectory?.steps
  return steps?.filter((step) => step.source === 'agent' && !step.is_copied_context) ?? null
}
