import { z } from 'zod'

const ms = z.number().nonnegative()

/** Where the step trace lies among an episode's evidence (role `events`): one JSON line an action. */
export const TRACE_FILE = 'steps.ndjson'

/** One action of the surface, or one tool call of a model, as the step trace keeps it. */
export const tracedActionSchema = z.object({
  /** The driver's step; null for a model's tool call. */
  step: z.string().max(200).nullable(),
  action: z.string().max(60),
  target: z.string().max(500).nullable(),
  /** Milliseconds since the library began to connect. */
  startMs: ms,
  durationMs: ms,
  error: z.string().max(2000).nullable(),
})
export type TracedAction = z.infer<typeof tracedActionSchema>
