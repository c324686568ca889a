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

const name = z.string().max(200)
const count = z.number().int().nonnegative()

/**
 * Who says what a call cost: the provider itself, the price table, the price that was given with the plan, none
 * because the model is free, none because a subscription is paid instead, or unknown.
 */
export const costSourceSchema = z.enum([
  ...(['provider', 'price-table', 'given', 'free', 'flat', 'unknown'] as const),
])
export type CostSource = z.infer<typeof costSourceSchema>

/** Tokens and cost as the provider's own usage fields report them; null = unknown, never 0. */
export const usageSchema = z.object({
  tokens: tokensSchema,
  costMicroUsd: count.nullable(),
  /** The table that the calls from it were priced by; null = none was. */
  priceTable: z.object({ id: z.string(), date: z.string() }).nullable(),
  /** Billed calls by the source of their cost; absent in envelopes from before it was recorded. */
  costSources: z.partialRecord(costSourceSchema, count).optional(),
  /** What is known where a figure is not: a lower bound. Absent when all is known. */
  atLeast: z.object({ input: count, output: count, costMicroUsd: count }).optional(),
  /** Why calls have no known usage or price; absent when all have. */
  unknownBecause: z
    .array(z.object({ reason: name, calls: count.positive() }))
    .max(20)
    .optional(),
})
export type Usage = z.infer<typeof usageSchema>

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
  /** Absent in calls from before it was recorded, and where nothing was billed. */
  costSource: costSourceSchema.optional(),
  /** Why its usage or its price is not known; its tokens are then a lower bound. */
  unknownBecause: name.optional(),
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
