import { describe, expect, it } from 'vitest'
import { UNKNOWN } from './number.ts'
import { elapsedMs, formatDuration, formatInstant, formatSeconds } from './time.ts'

describe('times on the page', () => {
  it('picks the unit that fits', () => {
    expect([0, 84.4, 1250, 59_949, 59_960, 125_000, 3_780_000].map(formatDuration)).toEqual([
      '0 ms',
      '84 ms',
      '1.25 s',
      '59.9 s',
      '1 min 00 s',
      '2 min 05 s',
      '1 h 03 min',
    ])
    expect(formatDuration(null)).toBe(UNKNOWN)
  })

  it('drops the unit where a column names it', () => {
    expect([0, 1, 84, 1250, 12_340, 123_400].map(formatSeconds)).toEqual([
      '0.00',
      '<0.01',
      '0.08',
      '1.25',
      '12.3',
      '123',
    ])
  })

  it('writes instants in UTC', () => {
    expect(formatInstant('2026-11-21T04:09:33.120Z')).toBe('2026-11-21 04:09 UTC')
    expect(formatInstant(null)).toBe(UNKNOWN)
  })

  it('knows no elapsed time of what has not ended or ended before it began', () => {
    expect(elapsedMs('2026-11-21T04:00:00.000Z', '2026-11-21T04:00:01.500Z')).toBe(1500)
    expect(elapsedMs('2026-11-21T04:00:00.000Z', null)).toBeNull()
    expect(elapsedMs('2026-11-21T04:00:01.000Z', '2026-11-21T04:00:00.000Z')).toBeNull()
  })
})
