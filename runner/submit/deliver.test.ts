import { describe, expect, it } from 'vitest'
import { planRetry } from './deliver.ts'

const NOW = Date.parse('2026-01-01T00:00:00Z')
const plan = (status: number | null, retryAfter: string | null = null, made = 1, chance = 1) =>
  planRetry({ status, retryAfter }, { made, max: 5, chance, now: NOW })

describe('planRetry', () => {
  it('waits longer each time, half of it by chance', () => {
    expect([1, 2, 3, 4].map((made) => plan(null, null, made))).toEqual([1000, 2000, 4000, 8000])
    expect(plan(502, null, 1, 0)).toBe(500)
  })

  it('does what the server asks for, in seconds or by a date, and no more than two minutes of it', () => {
    expect(plan(429, '7')).toBe(7000)
    expect(plan(503, 'Thu, 01 Jan 2026 00:00:30 GMT')).toBe(30_000)
    expect(plan(503, 'Wed, 31 Dec 2025 00:00:00 GMT')).toBe(0)
    expect(plan(429, '3600')).toBeNull()
    expect(plan(429, 'soon')).toBe(1000)
  })

  it('never comes back with what would be refused again, nor for ever', () => {
    for (const status of [200, 301, 400, 401, 403, 404, 409, 413, 415, 422, 507])
      expect(plan(status)).toBeNull()
    expect(plan(null, null, 5)).toBeNull()
  })
})
