import { type Price, priceGiven, type UsageToPrice, unpriced } from '#lib/domain/board/index.ts'
import type { Rates } from './provider-file.ts'

/**
 * Prices usage at a provider: free, by the price table under the provider's name in it, or by the rates in its file.
 * Without any of these the price is unknown; the provider's name is never guessed.
 */
export function priceByRates<U extends UsageToPrice>(
  rates: Rates | null,
  table: (usage: U) => Price,
): (usage: U) => Price {
  return (usage) => {
    if (rates === null) return unpriced(`${usage.provider ?? 'the provider'} has no known price`)
    if (rates === 'free') return priceGiven(rates, usage)
    if ('table' in rates) return table({ ...usage, provider: rates.table })
    const { cacheRead = null, cacheWrite = null } = rates
    const price = priceGiven({ ...rates, cacheRead, cacheWrite }, usage)
    if (price.costMicroUsd === null) return price
    const date = usage.at.slice(0, 'yyyy-mm-dd'.length)
    return { ...price, priceTable: { id: ratesId(rates), date } }
  }
}

/** The rates are in the envelope, because the file that stated them may be gone later. */
function ratesId({
  input,
  output,
  cacheRead,
  cacheWrite,
}: Extract<Rates, { input: number }>): string {
  const cache = [
    ...(cacheRead === undefined ? [] : [`${cacheRead} cache read`]),
    ...(cacheWrite === undefined ? [] : [`${cacheWrite} cache write`]),
  ]
  return `provider file: USD per million ${[`${input} in`, `${output} out`, ...cache].join(', ')}`
}
