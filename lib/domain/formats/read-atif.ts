import { z } from 'zod'

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
  const counts = new Map<string, number>()
  for (const { function_name: name } of steps.flatMap(({ tool_calls: calls }) => calls ?? []))
    counts.set(name, (counts.get(name) ?? 0) + 1)
  return Object.fromEntries(counts)
}

function agentSteps(trajectory: Atif | null) {
  const steps = trajectory?.steps
  return steps?.filter((step) => step.source === 'agent' && !step.is_copied_context) ?? null
}
