import { expect, it } from 'vitest'
import { readQuota } from './read-quota.ts'

const NOW = Date.parse('2026-11-28T14:00:00Z')

it.each([
  [
    {
      'x-ratelimit-limit-requests': '5000',
      'x-ratelimit-remaining-requests': '4999',
      'x-ratelimit-reset-requests': '5m0s',
      'x-ratelimit-remaining-tokens': '120',
    },
    '4,999 of 5,000 requests until 14:05 UTC, 120 tokens',
  ],
  [
    {
      'anthropic-ratelimit-input-tokens-limit': '10000',
      'anthropic-ratelimit-input-tokens-remaining': '0',
      'anthropic-ratelimit-input-tokens-reset': '2026-11-28T14:30:00Z',
    },
    '0 of 10,000 input tokens until 14:30 UTC',
  ],
  [{ 'x-ratelimit-remaining': '7', 'x-ratelimit-limit': '20' }, '7 of 20 requests'],
  [{ 'x-ratelimit-remaining-requests': 'many', 'content-type': 'text/plain' }, null],
])('reads what is left of the limits from %o', (headers, quota) => {
  expect(readQuota(headers, NOW)).toBe(quota)
})
