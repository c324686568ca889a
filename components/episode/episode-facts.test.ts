import { expect, it } from 'vitest'
import { formatCostSource } from './episode-facts.tsx'

const tokens = { input: 1, output: 1, cacheRead: null, cacheWrite: null, reasoning: null }
const usage = { tokens, costMicroUsd: 5, priceTable: { id: 'prices@1', date: '2026-09-23' } }

it('names the source of a cost, and each with its calls where there are several', () => {
  expect([
    formatCostSource(null),
    formatCostSource({ ...usage, costMicroUsd: null, priceTable: null }),
    formatCostSource(usage),
    formatCostSource({ ...usage, priceTable: null, costSources: { provider: 3 } }),
    formatCostSource({ ...usage, priceTable: null, costSources: { given: 1 } }),
    formatCostSource({ ...usage, costMicroUsd: null, priceTable: null, costSources: { flat: 2 } }),
    formatCostSource({ ...usage, costSources: { 'price-table': 2, unknown: 1 } }),
  ]).toEqual([
    'No known price',
    'No known price',
    'price table prices@1, 2026-09-23',
    'stated by the provider',
    'price given with the plan',
    'flat: paid by a subscription, not by the token',
    'price table prices@1, 2026-09-23 (2 calls); No known price (1 call)',
  ])
})
