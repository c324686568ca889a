import type { Price, UsageToPrice } from '#lib/domain/cost/price.ts'

/** Usage of one call; its model is the one the provider named in its answer, else the one asked for. */
export type PricedUsage = UsageToPrice & {
  provider: string
  /** The provider's own usage object, untouched: cache tiers and the like are in it. */
  raw: unknown
}

/** Injected: the gateway knows tokens, somebody else knows prices. */
export type PriceCall = (usage: PricedUsage) => Price
