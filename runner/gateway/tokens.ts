import type { z } from 'zod'
import type { usageSchema } from '#lib/domain/record/index.ts'
import { at, countAt } from './json-value.ts'
import type { Protocol } from './protocol.ts'

/**
 * Tokens in one definition for all providers, so that sums compare:
 *   input      = all the model read: fresh + cacheRead + cacheWrite
 *   output     = all the model wrote, reasoning included
 *   cacheRead  = part of input that came from a cache;  cacheWrite = part of input that was put into one
 *   reasoning  = part of output
 * Null = the provider did not say; never 0.
 */
export type Tokens = z.infer<typeof usageSchema>['tokens']

const TOKEN_FIELDS = ['input', 'output', 'cacheRead', 'cacheWrite', 'reasoning'] as const

export const UNKNOWN_TOKENS: Tokens = {
  input: null,
  output: null,
  cacheRead: null,
  cacheWrite: null,
  reasoning: null,
}

/**
 * One definition of tokens (tokens.ts) from each provider's own usage object.
 *   Anthropic: `input_tokens` leaves the cache out, so both cache counts are added; thinking is seldom reported.
 *   OpenAI:    `input_tokens`/`prompt_tokens` hold the cached ones already; cache writes are seldom reported.
 *   Gemini:    `promptTokenCount` holds the cached ones; `candidatesTokenCount` leaves the thoughts out.
 */
export function readTokenCounts(protocol: Protocol, raw: unknown): Tokens {
  if (raw === null || raw === undefined) return UNKNOWN_TOKENS
  return COUNTS[protocol](raw)
}

const COUNTS: Record<Protocol, (raw: unknown) => Tokens> = {
  anthropic: (raw) => {
    const cacheRead = countAt(raw, 'cache_read_input_tokens')
    const cacheWrite = countAt(raw, 'cache_creation_input_tokens')
    return {
      input: plus(countAt(raw, 'input_tokens'), cacheRead, cacheWrite),
      output: countAt(raw, 'output_tokens'),
      cacheRead,
      cacheWrite,
      reasoning: countAt(raw, 'output_tokens_details', 'thinking_tokens'),
    }
  },
  'openai-responses': (raw) => openAi(raw, 'input_tokens', 'output_tokens'),
  'openai-chat': (raw) => openAi(raw, 'prompt_tokens', 'completion_tokens'),
  gemini: (raw) => {
    const thoughts = countAt(raw, 'thoughtsTokenCount')
    const input = plus(countAt(raw, 'promptTokenCount'), countAt(raw, 'toolUsePromptTokenCount'))
    return {
      input,
      output: plus(countAt(raw, 'candidatesTokenCount'), thoughts) ?? rest(raw, input),
      cacheRead: countAt(raw, 'cachedContentTokenCount'),
      cacheWrite: null,
      reasoning: thoughts,
    }
  },
}

function openAi(raw: unknown, input: string, output: string): Tokens {
  const details = at(raw, `${input}_details`)
  return {
    input: countAt(raw, input),
    output: countAt(raw, output),
    // Some relatives of Chat (DeepSeek) report cache hits beside the details.
    cacheRead: countAt(details, 'cached_tokens') ?? countAt(raw, 'prompt_cache_hit_tokens'),
    cacheWrite: countAt(details, 'cache_write_tokens'),
    reasoning: countAt(raw, `${output}_details`, 'reasoning_tokens'),
  }
}

/** The first must be known; a missing part beside it means "none" in these protocols. */
function plus(known: number | null, ...parts: (number | null)[]): number | null {
  return known === null ? null : parts.reduce<number>((sum, part) => sum + (part ?? 0), known)
}

/** Gemini leaves zero counts out; the total then shows what was written. */
function rest(raw: unknown, input: number | null): number | null {
  const total = countAt(raw, 'totalTokenCount')
  return total === null || input === null || total < input ? null : total - input
}

export type TokenSums = {
  /** Null as soon as one call did not report this count. */
  tokens: Tokens
  /** The sum of the reported counts: a lower bound where `tokens` is null. */
  knownTokens: Record<(typeof TOKEN_FIELDS)[number], number>
}

/** Adds up calls; nothing asked yet is a true 0. */
export function sumTokens(calls: readonly Tokens[]): TokenSums {
  const known = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, reasoning: 0 }
  const tokens: Tokens = { ...known }
  for (const call of calls) {
    for (const field of TOKEN_FIELDS) {
      const count = call[field]
      const sum = tokens[field]
      known[field] += count ?? 0
      tokens[field] = count === null || sum === null ? null : sum + count
    }
  }
  return { tokens, knownTokens: known }
}
