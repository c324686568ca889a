import { calcPrice } from '@pydantic/genai-prices'
import type { Price, PriceUsage } from '../board/index.ts'

/** The table carries no date of its own: this is the day its release came out. */
export const PRICE_TABLE = { id: '@pydantic/genai-prices@0.1.8', date: '2026-09-23' } as const

const UNPRICED: Price = { costMicroUsd: null, priceTable: null }

/**
 * What tokens cost by a price table that came with the package: offline, no clock. Unknown model or provider, unknown
 * input or output, counts that contradict each other: unpriced, never 0. Cached tokens that nobody counted are priced
 * like others.
 */
export const priceUsage: PriceUsage = ({ provider, model, tokens, at }) => {
  const { input, output, cacheRead, cacheWrite } = tokens
  const timestamp = new Date(at)
  if (input === null || output === null || Number.isNaN(timestamp.getTime())) return UNPRICED
  // At an address of one's own the vendor's prices need not hold.
  if (provider?.includes('@')) return UNPRICED
  const usage = {
    input_tokens: input,
    output_tokens: output,
    cache_read_tokens: cacheRead ?? 0,
    cache_write_tokens: cacheWrite ?? 0,
  }
  const usd = totalUsd(() =>
    calcPrice(usage, model, { timestamp, ...(provider !== null && { providerId: provider }) }),
  )
  if (usd === null) return UNPRICED
  return { costMicroUsd: Math.round(usd * 1e6), priceTable: { ...PRICE_TABLE } }
}

/** The package throws on counts that cannot be: such usage has no price. */
function totalUsd(calculate: () => { total_price: number } | null): number | null {
  try {
    const usd = calculate()?.total_price ?? null
    return usd !== null && Number.isFinite(usd) && usd >= 0 ? usd : null
  } catch {
    return null
  }
}
