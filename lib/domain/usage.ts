import { z } from 'zod'

const tokens = z.number().int().nonnegative().nullable()

export const tokensSchema = z.object({
  input: tokens,
  output: tokens,
  cacheRead: tokens,
  cacheWrite: tokens,
  reasoning: tokens,
})

/** Tokens and cost as the provider's own usage fields told them; null = unknown, never 0. */
export const usageSchema = z.object({
  tokens: tokensSchema,
  costMicroUsd: z.number().int().nonnegative().nullable(),
  priceTable: z.object({ id: z.string(), date: z.string() }).nullable(),
})
