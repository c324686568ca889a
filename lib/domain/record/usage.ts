import { z } from 'zod'

const tokens = z.number().int().nonnegative().nullable()

export const tokensSchema = z.object({
  input: tokens,
  output: tokens,
  cacheRead: tokens,
  cacheWrite: tokens,
  reasoning: tokens,
})

const name = z.string().max(200)
const count = z.number().int().nonnegative()

/** One model's part of an attempt; tokens are null unless every call of it states them. */
export const modelUsageSchema = z.object({
  /** As the provider named it; null = it named none. */
  model: name.nullable(),
  /** The names under which the agent asked for it. */
  asked: z.array(name).max(10),
  calls: count.positive(),
  /** Calls in which it called a tool. */
  toolCalls: count,
  input: tokens,
  output: tokens,
})
export type ModelUsage = z.infer<typeof modelUsageSchema>

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
  /** Each model's part, in order of appearance; absent in envelopes from before it was recorded. */
  models: z.array(modelUsageSchema).max(50).optional(),
  /** Every temperature that went out, ascending; a null at the end = none did in some call. Absent = not recorded. */
  temperatures: z.array(z.number().nullable()).max(50).optional(),
  /** Why stated tokens cannot be true beside the bytes that the gateway saw; absent where they can. */
  implausible: z
    .array(z.object({ reason: name, calls: count.positive() }))
    .max(20)
    .optional(),
})
export type Usage = z.infer<typeof usageSchema>

/** The sum; null unless every value is known. */
export function sumKnown(values: readonly (number | null)[]): number | null {
  return values.reduce((sum, value) => (sum === null || value === null ? null : sum + value), 0)
}
