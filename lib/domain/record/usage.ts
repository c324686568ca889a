import { z } from 'zod'
import { instantSchema } from './names.ts'

const tokens = z.number().int().nonnegative().nullable()

const tokensSchema = z.object({
  input: tokens,
  output: tokens,
  cacheRead: tokens,
  cacheWrite: tokens,
  reasoning: tokens,
})

/** Tokens and cost as the provider's own usage fields report them; null = unknown, never 0. */
export const usageSchema = z.object({
  tokens: tokensSchema,
  costMicroUsd: z.number().int().nonnegative().nullable(),
  priceTable: z.object({ id: z.string(), date: z.string() }).nullable(),
})

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
  model: name.nullable(),
  tokens: tokensSchema,
  costMicroUsd: count.nullable(),
  toolCalls: z.array(name).max(200),
  stopReason: name.nullable(),
  requestBytes: count,
  responseBytes: count,
  firstByteMs: z.number().nonnegative().nullable(),
  durationMs: z.number().nonnegative(),
})
export type GatewayCall = z.infer<typeof gatewayCallSchema>

/** The sum; null unless every value is known. */
export function sumKnown(values: readonly (number | null)[]): number | null {
  return values.reduce((sum, value) => (sum === null || value === null ? null : sum + value), 0)
}
