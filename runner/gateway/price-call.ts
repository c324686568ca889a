import type { Tokens } from './tokens.ts'

export type PricedUsage = {
  provider: string
  /** As the provider named it in its answer, else as asked. */
  model: string
  tokens: Tokens
  /** The provider's own usage object, untouched: cache tiers and the like are in it. */
  raw: unknown
  /** ISO instant of the call: prices change. */
  at: string
}

export type Price = {
  /** Null = no price is known for this model; never 0. */
  costMicroUsd: number | null
  priceTable: { id: string; date: string } | null
}

/** Injected: the gateway knows tokens, somebody else knows prices. */
export type PriceCall = (usage: PricedUsage) => Price
