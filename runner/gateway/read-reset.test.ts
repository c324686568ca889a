import type { IncomingHttpHeaders } from 'node:http'
import { describe, expect, it } from 'vitest'
import { readResetTime } from './read-reset.ts'

const NOW = Date.parse('2026-11-27T12:00:00.000Z')
const seconds = (headers: IncomingHttpHeaders, error: unknown = null) => {
  const at = readResetTime(headers, error, NOW)
  return at === null ? null : (at - NOW) / 1000
}

describe('when a provider accepts calls again', () => {
  it.each<[string, IncomingHttpHeaders, unknown, number | null]>([
    ['nothing is said', {}, null, null],
    ['seconds', { 'retry-after': '10800' }, null, 10800],
    ['milliseconds', { 'retry-after-ms': '1500', 'retry-after': '2' }, null, 1.5],
    ['a date', { 'retry-after': 'Fri, 27 Nov 2026 13:00:00 GMT' }, null, 3600],
    ['a date that is over', { 'retry-after': 'Fri, 27 Nov 2026 11:00:00 GMT' }, null, null],
    ['nonsense', { 'retry-after': 'soon' }, null, null],
    ['a year', { 'retry-after': '31536000' }, null, null],
    ['a duration in words', { 'x-ratelimit-reset-tokens': '6m0s' }, null, 360],
    ['milliseconds in words', { 'x-ratelimit-reset-requests': '120ms' }, null, 0.12],
    ['epoch milliseconds', { 'x-ratelimit-reset': String(NOW + 5000) }, null, 5],
    [
      'epoch seconds',
      { 'anthropic-ratelimit-unified-reset': String(NOW / 1000 + 18000) },
      null,
      18000,
    ],
    ['an instant', { 'anthropic-ratelimit-tokens-reset': '2026-11-27T12:01:00Z' }, null, 60],
    [
      'the window that is spent, of several',
      {
        'anthropic-ratelimit-requests-remaining': '12',
        'anthropic-ratelimit-requests-reset': '2026-11-27T12:00:10Z',
        'anthropic-ratelimit-tokens-remaining': '0',
        'anthropic-ratelimit-tokens-reset': '2026-11-27T12:00:50Z',
      },
      null,
      50,
    ],
    [
      'the earliest, where none is said to be spent',
      { 'x-ratelimit-reset-requests': '1s', 'x-ratelimit-reset-tokens': '1h2m3s' },
      null,
      1,
    ],
    ['a subscription window', { 'x-codex-primary-reset-after-seconds': '900' }, null, 900],
    ['Gemini’s RetryInfo', {}, { details: [{ reason: 'x' }, { retryDelay: '34.5s' }] }, 34.5],
    ['the reset of a plan', {}, { type: 'usage_limit_reached', resets_in_seconds: 7200 }, 7200],
    ['an instant of a plan', {}, { resets_at: NOW / 1000 + 60 }, 60],
    [
      'the upstream’s header that a router repeats',
      {},
      { metadata: { headers: { 'X-RateLimit-Reset': String(NOW + 9000) } } },
      9,
    ],
    ['a header before the body', { 'retry-after': '5' }, { resets_in_seconds: 7200 }, 5],
  ])('%s', (_what, headers, error, expected) => {
    expect(seconds(headers, error)).toBe(expected)
  })
})
