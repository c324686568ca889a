import { z } from 'zod'
import { instantSchema } from './names.ts'
import { costSourceSchema, tokensSchema } from './usage.ts'

const name = z.string().max(200)
const count = z.number().int().nonnegative()

/** One call of an agent to its model as the gateway saw it: numbers and names, no text of the conversation. */
export const gatewayCallSchema = z.object({
  /** 1, 2, 3 … in the order of arrival. */
  number: z.number().int().positive(),
  startedAt: instantSchema,
  /** Who answered. */
  source: z.enum(['upstream', 'replay', 'gateway']),
  /** HTTP status; null when none came. */
  status: z.number().int().nullable(),
  ending: name,
  /** A whole model turn reached the agent. */
  isStep: z.boolean(),
  /** Number of the earlier call with the very same body. */
  retryOf: z.number().int().nullable(),
  /** Kind of the fault that hit it on purpose. */
  fault: name.nullable(),
  /** The model that the agent asked for; absent in calls from before it was recorded. */
  modelAsked: name.nullable().optional(),
  /** The model that answered. */
  model: name.nullable(),
  /** The temperature that went out; null = none. Absent where nothing did, and in calls from before it was recorded. */
  temperature: z.number().nullable().optional(),
  tokens: tokensSchema,
  costMicroUsd: count.nullable(),
  /** Absent in calls from before it was recorded, and where nothing was billed. */
  costSource: costSourceSchema.optional(),
  /** Why its usage or its price is not known; its tokens are then a lower bound. */
  unknownBecause: name.optional(),
  /** Why its stated tokens cannot be true beside the bytes that the gateway saw. */
  implausible: name.optional(),
  toolCalls: z.array(name).max(200),
  /** Tools of the provider that reach the internet, which were left out of the request of an agent without a network. */
  toolsLeftOut: z.array(name).max(20).optional(),
  stopReason: name.nullable(),
  requestBytes: count,
  responseBytes: count,
  firstByteMs: z.number().nonnegative().nullable(),
  durationMs: z.number().nonnegative(),
})
export type GatewayCall = z.infer<typeof gatewayCallSchema>
