import type { z } from 'zod'
import type { usageSchema } from '#lib/domain/usage.ts'

/**
 * Tokens in one definition for all providers, so that sums compare:
 *   input      = all the model read: fresh + cacheRead + cacheWrite
 *   output     = all the model wrote, reasoning included
 *   cacheRead  = part of input that came from a cache;  cacheWrite = part of input that was put into one
 *   reasoning  = part of output
 * Null = the provider did not say; never 0.
 */
export type Tokens = z.infer<typeof usageSchema>['tokens']

export const TOKEN_FIELDS = ['input', 'output', 'cacheRead', 'cacheWrite', 'reasoning'] as const

export const UNKNOWN_TOKENS: Tokens = {
  input: null,
  output: null,
  cacheRead: null,
  cacheWrite: null,
  reasoning: null,
}
