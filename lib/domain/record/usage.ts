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

/** Usage of one model in an attempt; tokens are null unless every call states them. */
export const modelUsageSchema = z.object({
  /** The model's name in the provider's response; null = none. */
  model: name.nullable(),
  /** The names under which the agent requested it. */
  asked: z.array(name).max(10),
  calls: count.positive(),
  /** Calls in which the model called a tool. */
  toolCalls: count,
  input: tokens,
  output: tokens,
})
export type ModelUsage = z.infer<typeof modelUsageSchema>

/**
 * Source of a call's cost: the provider itself, the price table, the price given with the plan, none because the model
 * is free, none because a subscription pays instead, or unknown.
 */
export const costSourceSchema = z.enum([
  ...(['provider', 'price-table', 'given', 'free', 'flat', 'unknown'] as const),
])
export type CostSource = z.infer<typeof costSourceSchema>

/** Tokens and cost as reported in the provider's own usage fields; null = unknown, never 0. */
export const usageSchema = z.object({
  tokens: tokensSchema,
  costMicroUsd: count.nullable(),
  /** Price table of the calls that were priced by one; null = none. */
  priceTable: z.object({ id: z.string(), date: z.string() }).nullable(),
  /** Billed calls by the source of their cost; absent in envelopes from before it was recorded. */
  costSources: z.partialRecord(costSourceSchema, count).optional(),
  /** Lower bounds of unknown figures. Absent if all are known. */
  atLeast: z.object({ input: count, output: count, costMicroUsd: count }).optional(),
  /** Why calls have no known usage or price; absent if all have. */
  unknownBecause: z
    .array(z.object({ reason: name, calls: count.positive() }))
    .max(20)
    .optional(),
  /** Usage of each model, in order of appearance; absent in envelopes from before it was recorded. */
  models: z.array(modelUsageSchema).max(50).optional(),
  /** Temperatures sent, ascending; a null at the end = some call sent none. Absent = not recorded. */
  temperatures: z.array(z.number().nullable()).max(50).optional(),
  /** Why stated tokens contradict the number of bytes at the gateway; absent = no contradiction. */
  implausible: z
    .array(z.object({ reason: name, calls: count.positive() }))
    .max(20)
    .optional(),
})
export type Usage = z.infer<typeof usageSchema>

/** Returns the sum; null unless every value is known. */
export function sumKnown(values: readonly (number | null)[]): number | null {
  return values.reduce((sum, value) => (sum === null || value === null ? null : sum + value), 0)
}
