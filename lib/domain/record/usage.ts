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

/** The sum; null unless every value is known. */
export function sumKnown(values: readonly (number | null)[]): number | null {
  return values.reduce((sum, value) => (sum === null || value === null ? null : sum + value), 0)
}
