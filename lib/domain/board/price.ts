/** Tokens of one model as an envelope keeps them; `input` counts cached tokens too, `output` counts reasoning. */
export type PricedTokens = {
  input: number | null
  output: number | null
  cacheRead: number | null
  cacheWrite: number | null
  reasoning: number | null
}

export type UsageToPrice = {
  /** Null = not known: then the model's name alone decides. */
  provider: string | null
  model: string
  tokens: PricedTokens
  /** The instant whose prices hold (ISO): the same input always gives the same price. */
  at: string
}

export type Price = {
  costMicroUsd: number | null
  /** Null exactly when the cost is. */
  priceTable: { id: string; date: string } | null
}

/** A way to price usage; handed in, so that what merely shows a quote need not carry a price table. */
export type PriceUsage = (usage: UsageToPrice) => Price
