import { describe, expect, it } from 'vitest'
import {
  formatBytes,
  formatCompact,
  formatCount,
  formatInterval,
  formatPercent,
  formatUsd,
  plural,
  UNKNOWN,
} from './number.ts'

describe('numbers on the page', () => {
  it('shows a dash for what is not known and a zero for zero', () => {
    const formats = [formatCount, formatPercent, formatCompact, formatUsd, formatBytes]
    expect(formats.map((format) => format(null))).toEqual(formats.map(() => UNKNOWN))
    expect(formats.map((format) => format(0))).toEqual(['0', '0.0', '0', '0', '0 B'])
  })

  it('keeps one decimal of a per cent and both ends of an interval', () => {
    expect(formatPercent(0.8412)).toBe('84.1')
    expect(formatPercent(1)).toBe('100.0')
    expect(formatInterval(0.6411, 0.955)).toBe('64.1–95.5 %')
    expect(formatInterval(null, 0.9)).toBe(UNKNOWN)
  })

  it('shortens counts without ever showing 1000.0k', () => {
    expect([999, 1000, 12_345, 999_949, 999_950, 3_400_000].map(formatCompact)).toEqual([
      '999',
      '1.0k',
      '12.3k',
      '999.9k',
      '1.0M',
      '3.4M',
    ])
  })

  it('never rounds a cost down to nothing', () => {
    expect([1, 41_250, 999_000, 1_250_000].map(formatUsd)).toEqual([
      '<0.001',
      '0.041',
      '0.999',
      '1.25',
    ])
  })

  it('names bytes and plurals', () => {
    expect([999, 1536, 2_500_000].map(formatBytes)).toEqual(['999 B', '1.5 kB', '2.5 MB'])
    expect([plural(1, 'task'), plural(25, 'task'), plural(2, 'try', 'tries')]).toEqual([
      '1 task',
      '25 tasks',
      '2 tries',
    ])
  })
})
