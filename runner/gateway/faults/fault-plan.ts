import { z } from 'zod'

const milliseconds = z.number().int().positive()
const bytes = z.number().int().nonnegative()

const when = {
  /** Hits the request that would become this step (1 = the first). */
  atStep: z.number().int().positive(),
  /** This many requests in a row … */
  times: z.number().int().positive().nullable(),
  /** … or all requests for so long after the first hit; both null = once. */
  forMs: milliseconds.nullable(),
}

/** A fault between agent and provider, written down before the run. */
export const faultPlanSchema = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('rate-limit'),
    ...when,
    retryAfterSeconds: z.number().int().nonnegative(),
  }),
  z.object({ kind: z.literal('server-error'), ...when }),
  z.object({ kind: z.literal('overloaded'), ...when }),
  z.object({ kind: z.literal('cut-stream'), ...when, afterBytes: bytes }),
  z.object({
    kind: z.literal('stalled-stream'),
    ...when,
    afterBytes: bytes,
    limitMs: milliseconds,
  }),
  z.object({ kind: z.literal('malformed-event'), ...when }),
  z.object({ kind: z.literal('connection-reset'), ...when }),
  z.object({ kind: z.literal('hang'), ...when, limitMs: milliseconds }),
])
export type FaultPlan = z.infer<typeof faultPlanSchema>
