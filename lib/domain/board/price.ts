/** Tokens of one model as stored in an envelope; `input` counts cached tokens too, `output` counts reasoning. */
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
  /** The time whose prices apply (ISO), so that the same input always gives the same price. */
  at: string
}

export type Price = {
  costMicroUsd: number | null
  /** Null exactly when the cost is. */
  priceTable: { id: string; date: string } | null
}

/** A pricing function, passed in so that code that only shows a quote does not load the price table. */
export type PriceUsage = (usage: UsageToPrice) => Price
