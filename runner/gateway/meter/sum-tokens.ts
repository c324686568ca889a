import { TOKEN_FIELDS, type Tokens } from '../tokens.ts'

export type TokenSums = {
  /** Null as soon as one call did not tell this count. */
  tokens: Tokens
  /** The sum of what was told: a lower bound where `tokens` is null. */
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
