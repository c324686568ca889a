import type { CostSource } from '../record/index.ts'
import type { GivenPrice } from '../settings/index.ts'

/** Tokens of one model as stored in an envelope; `input` includes cached tokens, `output` includes reasoning. */
export type PricedTokens = {
  input: number | null
  output: number | null
  cacheRead: number | null
  cacheWrite: number | null
  reasoning: number | null
}

/**
 * Usage that a provider reports besides plain tokens and charges separately; a count is part of the tokens it is named
 * after.
 */
export type BilledExtras = {
  /** Part of the cache writes: those with a lifetime of one hour. */
  cacheWrite1h: number
  audioInput: number
  audioOutput: number
  /** Part of the cache reads; null = not stated. */
  audioCacheRead: number | null
  imageOutput: number
  webSearches: number
  fileSearches: number
  /** Service tiers and similar options other than the standard, by the provider's names. */
  tiers: readonly string[]
  /** Descriptions of charged work that no table has a price for. */
  unpriceable: readonly string[]
}

export type UsageToPrice = {
  /** Null = unknown: the model's name alone decides. */
  provider: string | null
  model: string
  tokens: PricedTokens
  /** Absent = none. */
  extras?: BilledExtras
  /** The instant whose prices apply (ISO): the same input always gives the same price. */
  at: string
}

export type Price = {
  costMicroUsd: number | null
  /** Null unless the cost comes from a table. */
  priceTable: { id: string; date: string } | null
  /** Absent = the price table if there is a cost, else unknown. */
  source?: CostSource
  /** Why the cost is unknown. */
  why?: string
}

/** A pricing function, passed in so that code that only shows a quote does not load the price table. */
export type PriceUsage = (usage: UsageToPrice) => Price

const MICRO_USD_PER_USD = 1e6
const TOKENS_PER_PRICE = 1e6

/** Prices usage by a price that the user gave, which does not cover charges other than tokens. */
export function priceGiven(given: GivenPrice, { tokens, extras }: UsageToPrice): Price {
  if (given === 'free') return { costMicroUsd: 0, priceTable: null, source: 'free' }
  const { input, output } = tokens
  if (input === null || output === null) return unpriced('the provider did not state its usage')
  const apart = findApart(extras)
  if (apart !== null) return unpriced(`${apart} has no price beside the given one`)
  const [cacheRead, cacheWrite] = [tokens.cacheRead ?? 0, tokens.cacheWrite ?? 0]
  const fresh = input - cacheRead - cacheWrite
  if (fresh < 0) return unpriced(CONTRADICTION)
  const usd =
    (fresh * given.input +
      cacheRead * (given.cacheRead ?? given.input) +
      cacheWrite * (given.cacheWrite ?? given.input) +
      output * given.output) /
    TOKENS_PER_PRICE
  return { costMicroUsd: Math.round(usd * MICRO_USD_PER_USD), priceTable: null, source: 'given' }
}

/** Describes charges other than tokens; null = none. */
function findApart(extras: BilledExtras | undefined): string | null {
  if (extras === undefined) return null
  const [other = null] = extras.unpriceable
  return extras.webSearches + extras.fileSearches > 0 ? 'a search' : other
}

export const CONTRADICTION = 'the counts that the provider stated contradict each other'

/** A subscription is paid by the month: its calls have no price. */
export function flatPrice(): Price {
  return { ...unpriced('a subscription is paid, not the call'), source: 'flat' }
}

/** An unknown cost, with the reason. */
export function unpriced(why: string): Price {
  return { costMicroUsd: null, priceTable: null, source: 'unknown', why }
}
