import type { z } from 'zod'
import type { usageSchema } from '#lib/domain/record/index.ts'
import type { Protocol } from '#lib/domain/runs/index.ts'
import { at, countAt, listAt } from './json-value.ts'

/**
 * Tokens in one definition for all providers, so that sums are comparable:
 * input      = all tokens the model read: fresh + cacheRead + cacheWrite
 * output     = all tokens the model wrote, including reasoning
 * cacheRead  = part of input read from a cache;  cacheWrite = part of input written to one
 * reasoning  = part of output
 * Null = the provider did not state it; never 0.
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
 * Converts each provider's own usage object to the definition in tokens.ts.
 * Anthropic: `input_tokens` excludes the cache, so both cache counts are added; thinking is seldom reported.
 * OpenAI:    `input_tokens`/`prompt_tokens` include the cached ones; cache writes are seldom reported.
 * Gemini:    `promptTokenCount` includes the cached ones; `candidatesTokenCount` excludes the thoughts.
 */
export function readTokenCounts(protocol: Protocol, raw: unknown): Tokens {
  if (raw === null || raw === undefined) return UNKNOWN_TOKENS
  return COUNTS[protocol](raw)
}

const COUNTS: Record<Protocol, (raw: unknown) => Tokens> = {
  anthropic: (raw) => addTokens(readMessages(raw), listAt(raw, 'iterations').filter(isCompaction)),
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

function readMessages(raw: unknown): Tokens {
  const cacheRead = countAt(raw, 'cache_read_input_tokens')
  const cacheWrite = countAt(raw, 'cache_creation_input_tokens') ?? sumOfTtls(raw)
  return {
    input: plus(countAt(raw, 'input_tokens'), cacheRead, cacheWrite),
    output: countAt(raw, 'output_tokens'),
    cacheRead,
    cacheWrite,
    reasoning: countAt(raw, 'output_tokens_details', 'thinking_tokens'),
  }
}

function sumOfTtls(raw: unknown): number | null {
  const short = countAt(raw, 'cache_creation', 'ephemeral_5m_input_tokens')
  const long = countAt(raw, 'cache_creation', 'ephemeral_1h_input_tokens')
  return short === null && long === null ? null : (short ?? 0) + (long ?? 0)
}

/** Compaction of a long conversation is charged, and Anthropic excludes it from the counts of the response itself. */
function isCompaction(iteration: unknown): boolean {
  return at(iteration, 'type') === 'compaction'
}

function addTokens(tokens: Tokens, more: readonly unknown[]): Tokens {
  return more.map(readMessages).reduce(
    (sum, one) => ({
      input: plus(sum.input, one.input),
      output: plus(sum.output, one.output),
      cacheRead: either(sum.cacheRead, one.cacheRead),
      cacheWrite: either(sum.cacheWrite, one.cacheWrite),
      reasoning: either(sum.reasoning, one.reasoning),
    }),
    tokens,
  )
}

function either(a: number | null, b: number | null): number | null {
  return a === null && b === null ? null : (a ?? 0) + (b ?? 0)
}

function openAi(raw: unknown, input: string, output: string): Tokens {
  const details = at(raw, `${input}_details`)
  const hits = countAt(raw, 'prompt_cache_hit_tokens')
  const reasoning = countAt(raw, `${output}_details`, 'reasoning_tokens')
  const read = countAt(raw, input) ?? plus(hits, countAt(raw, 'prompt_cache_miss_tokens'))
  return {
    input: read,
    output: withReasoning(raw, { read, written: countAt(raw, output), reasoning }),
    // Chat-compatible APIs that report cache hits beside the details: DeepSeek, Moonshot.
    cacheRead: countAt(details, 'cached_tokens') ?? hits ?? countAt(raw, 'cached_tokens'),
    cacheWrite: countAt(details, 'cache_write_tokens'),
    reasoning,
  }
}

/**
 * Adds reasoning to the output where it is not included. OpenAI includes it; xAI counts it separately, and Gemini's
 * Chat endpoint does not state it at all: there the total exceeds input plus output. More reasoning than output cannot
 * be part of it either.
 */
function withReasoning(
  raw: unknown,
  { read, written, reasoning }: Record<'read' | 'written' | 'reasoning', number | null>,
): number | null {
  if (written === null) return null
  const total = countAt(raw, 'total_tokens')
  const unnamed = total === null || read === null ? 0 : total - read - written
  if (reasoning === null || reasoning === 0) return written + Math.max(0, unnamed)
  const isBeside = unnamed === reasoning || reasoning > written
  return isBeside ? written + reasoning : written
}

/** The first must be known; a missing part means "none" in these protocols. */
function plus(known: number | null, ...parts: (number | null)[]): number | null {
  return known === null ? null : parts.reduce<number>((sum, part) => sum + (part ?? 0), known)
}

/** Gemini omits zero counts; the total then shows the output. */
function rest(raw: unknown, input: number | null): number | null {
  const total = countAt(raw, 'totalTokenCount')
  return total === null || input === null || total < input ? null : total - input
}

export type TokenSums = {
  /** Null as soon as one call did not report this count. */
  tokens: Tokens
  /** The sum of the reported counts: a lower bound if `tokens` is null. */
  knownTokens: Record<(typeof TOKEN_FIELDS)[number], number>
}

/** Known usage of a call, and its stated usage, which is larger if the response broke off. */
type CountedTokens = { tokens: Tokens; stated: Tokens }

/** Sums calls; the sum of no calls is a true 0. */
export function sumTokens(calls: readonly CountedTokens[]): TokenSums {
  const known = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, reasoning: 0 }
  const tokens: Tokens = { ...known }
  for (const call of calls) {
    for (const field of TOKEN_FIELDS) {
      const count = call.tokens[field]
      const sum = tokens[field]
      known[field] += call.stated[field] ?? 0
      tokens[field] = count === null || sum === null ? null : sum + count
    }
  }
  return { tokens, knownTokens: known }
}
