import type { Price, UsageToPrice } from '#lib/domain/board/index.ts'
import type { Rates } from './provider-file.ts'

const UNPRICED: Price = { costMicroUsd: null, priceTable: null }

/**
 * What usage costs at a provider: nothing, by the price table under the provider's name in it, or by the rates that its
 * file gives. Without any of these it has no price; the provider's name is not guessed from what it looks like.
 */
export function priceByRates<U extends UsageToPrice>(
  rates: Rates | null,
  table: (usage: U) => Price,
): (usage: U) => Price {
  return (usage) => {
    if (rates === null) return UNPRICED
    const date = usage.at.slice(0, 'yyyy-mm-dd'.length)
    if (rates === 'free') return { costMicroUsd: 0, priceTable: { id: 'free', date } }
    if ('table' in rates) return table({ ...usage, provider: rates.table })
    const costMicroUsd = priceTokens(usage.tokens, rates)
    return costMicroUsd === null
      ? UNPRICED
      : { costMicroUsd, priceTable: { id: ratesId(rates), date } }
  }
}

type OwnRates = Extract<Rates, { input: number }>

/** Dollars for a million tokens are millionths of a dollar for one. */
function priceTokens(
  { input, output, cacheRead, cacheWrite }: UsageToPrice['tokens'],
  rates: OwnRates,
): number | null {
  if (input === null || output === null) return null
  const [read, written] = [cacheRead ?? 0, cacheWrite ?? 0]
  const fresh = input - read - written
  if (fresh < 0) return null
  const { input: price, cacheRead: readPrice = price, cacheWrite: writePrice = price } = rates
  return Math.round(fresh * price + read * readPrice + written * writePrice + output * rates.output)
}

/** The rates stand in the envelope: the file that gave them need not be there later. */
function ratesId({ input, output, cacheRead, cacheWrite }: OwnRates): string {
  const cache = [
    ...(cacheRead === undefined ? [] : [`${cacheRead} cache read`]),
    ...(cacheWrite === undefined ? [] : [`${cacheWrite} cache write`]),
  ]
  return `provider file: USD per million ${[`${input} in`, `${output} out`, ...cache].join(', ')}`
}
