import type { CostSource, Usage } from '#lib/domain/record/index.ts'
import { countOf } from '#lib/domain/text/index.ts'

/** Names the sources of the costs of an episode's calls; with the number of calls if there are several. */
export function formatCostSource(usage: Usage | null): string {
  const { costSources, priceTable = null } = usage ?? {}
  const table = priceTable ? `price table ${priceTable.id}, ${priceTable.date}` : null
  const sources = Object.entries(costSources ?? {}) as [CostSource, number][]
  const [only] = sources
  if (only === undefined) return table ?? 'No known price'
  // For a price of a provider file, its id replaces the table's.
  const given = costSources?.['price-table'] === undefined && priceTable?.id
  const words = {
    ...WORDS,
    'price-table': table ?? 'price table',
    given: given || 'price given with the plan',
  }
  if (sources.length === 1) return words[only[0]]
  return sources.map(([source, calls]) => `${words[source]} (${countOf(calls, 'call')})`).join('; ')
}

const WORDS = {
  provider: 'stated by the provider',
  free: 'free',
  flat: 'flat: paid by a subscription, not by the token',
  unknown: 'No known price',
}
