import { z } from 'zod'
import { instantSchema } from './names.ts'
import { costSourceSchema, tokensSchema } from './usage.ts'

const name = z.string().max(200)
const count = z.number().int().nonnegative()

/** One call of an agent to its model, as recorded by the gateway: numbers and names, no text of the conversation. */
export const gatewayCallSchema = z.object({
  /** 1, 2, 3 … in the order of arrival. */
  number: z.number().int().positive(),
  startedAt: instantSchema,
  /** Origin of the response. */
  source: z.enum(['upstream', 'replay', 'gateway']),
  /** HTTP status; null = no response. */
  status: z.number().int().nullable(),
  ending: name,
  /** A complete model turn reached the agent. */
  isStep: z.boolean(),
  /** Number of the earlier call with the same body. */
  retryOf: z.number().int().nullable(),
  /** Kind of the injected fault. */
  fault: name.nullable(),
  /** The requested model; absent in calls from before it was recorded. */
  modelAsked: name.nullable().optional(),
  /** The model that responded. */
  model: name.nullable(),
  /**
   * The temperature that was sent; null = none. Absent if no request was sent, and in calls from before it was
   * recorded.
   */
  temperature: z.number().nullable().optional(),
  tokens: tokensSchema,
  costMicroUsd: count.nullable(),
  /** Absent in calls from before it was recorded, and if nothing was billed. */
  costSource: costSourceSchema.optional(),
  /** Why its usage or price is unknown; its tokens are then a lower bound. */
  unknownBecause: name.optional(),
  /** Why its stated tokens contradict the number of bytes at the gateway. */
  implausible: name.optional(),
  toolCalls: z.array(name).max(200),
  /** Provider tools with internet access that were removed from the request of an agent without network access. */
  toolsLeftOut: z.array(name).max(20).optional(),
  stopReason: name.nullable(),
  requestBytes: count,
  responseBytes: count,
  firstByteMs: z.number().nonnegative().nullable(),
  durationMs: z.number().nonnegative(),
})
export type GatewayCall = z.infer<typeof gatewayCallSchema>
