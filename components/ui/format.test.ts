import { describe, expect, it } from 'vitest'
import {
  elapsedMs,
  formatCompact,
  formatCount,
  formatDollars,
  formatDuration,
  formatFailure,
  formatInstant,
  formatInterval,
  formatPercent,
  formatRate,
  formatSeconds,
  formatSize,
  formatUsd,
  percentOf,
  UNKNOWN,
  visibleLogText,
  visibleText,
} from './format.ts'

describe('numbers on the page', () => {
  it('shows a dash for unknown values and a zero for zero', () => {
    const formats = [formatCount, formatPercent, formatCompact, formatUsd, formatSize]
    expect(formats.map((format) => format(null))).toEqual(formats.map(() => UNKNOWN))
    expect(formats.map((format) => format(0))).toEqual(['0', '0.0', '0', '0', '0 B'])
  })

  it('keeps one decimal of a per cent and both ends of an interval', () => {
    expect(formatPercent(0.8412)).toBe('84.1')
    expect(formatPercent(1)).toBe('100.0')
    expect(percentOf(0.8412)).toBe('84.1\u00a0%')
    expect(percentOf(null)).toBe(UNKNOWN)
    expect(formatInterval(0.6411, 0.955)).toBe('64.1–95.5\u00a0%')
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

  it('writes amounts in one way, and kinds of failure in words', () => {
    expect([null, 0, 1, 41_250, 12_100_000].map(formatDollars)).toEqual([
      UNKNOWN,
      '$0',
      '<$0.001',
      '$0.041',
      '$12.10',
    ])
    expect(['test-failure', 'no-change', 'crash', null].map(formatFailure)).toEqual([
      'test failure',
      'no change',
      'crash',
      '',
    ])
  })

  it('names bytes', () => {
    expect([999, 1536, 2_500_000].map(formatSize)).toEqual(['999 B', '1.5 kB', '2.5 MB'])
  })
})

it.each([
  [0.62, 0.53, 0.71, '62', '53–71'],
  [1, 0.863, 1, '100', '86–100'],
  [0, 0, 0.137, '0', '0–14'],
  [0.9925, 0.985, 0.9999, '99.3', '98.5 – >99.9'],
  [0.5583, 0.3147, 0.7779, '56', '31–78'],
  [0.996, 0.941, 0.9999, '>99', '94 – >99'],
  [0.004, 0.0001, 0.061, '<1', '<1–6'],
  [0.5, null, null, '50.0', ''],
  [null, null, null, '–', ''],
])('shows %s (%s to %s) as %s and %s', (rate, low, high, text, spread) => {
  expect(formatRate(rate, low, high)).toEqual({ rate: text, spread })
})

it('formats only a rate of 1 as 100 %', () => {
  expect([0.99958, 1, 0.0004, 0].map(formatPercent)).toEqual(['>99.9', '100.0', '<0.1', '0.0'])
})

describe('times on the page', () => {
  it('picks the unit that fits', () => {
    expect([0, 84.4, 1250, 59_949, 59_960, 125_000, 3_780_000].map(formatDuration)).toEqual([
      '0 ms',
      '84 ms',
      '1.25 s',
      '59.9 s',
      '1 min',
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

  it('has no elapsed time without an end, or with an end before the start', () => {
    expect(elapsedMs('2026-11-21T04:00:00.000Z', '2026-11-21T04:00:01.500Z')).toBe(1500)
    expect(elapsedMs('2026-11-21T04:00:00.000Z', null)).toBeNull()
    expect(elapsedMs('2026-11-21T04:00:01.000Z', '2026-11-21T04:00:00.000Z')).toBeNull()
  })
})

describe('untrusted text', () => {
  it('shows bidi controls and invisible characters instead of obeying them', () => {
    expect(visibleText('a\u202eb\u2066c\u200bd\ufeff')).toBe('a⟨U+202E⟩b⟨U+2066⟩c⟨U+200B⟩d⟨U+FEFF⟩')
    expect(visibleText('a\ud800b\udc00')).toBe('a⟨U+D800⟩b⟨U+DC00⟩')
    expect(visibleLogText('a\ud800b')).toBe('a⟨U+D800⟩b')
    expect(visibleText('bell\u0007 \u001b[31mred')).toBe('bell⟨U+0007⟩ ⟨U+001B⟩[31mred')
  })

  it('keeps tabs, line ends, scripts and emoji', () => {
    expect(visibleText('a\tb\nж漢字🙂')).toBe('a\tb\nж漢字🙂')
    expect(visibleText('xe\u0302\u0323y')).toBe('xe\u0302\u0323y')
    expect(visibleText('at most 5 % of 10 %s')).toBe('at most 5\u00a0% of 10 %s')
    expect(visibleText(`Z${'\u0301'.repeat(99)}y`)).toBe(`Z${'\u0301'.repeat(5)}…y`)
  })

  it('keeps colours of a log and drops cursor moves, titles and links', () => {
    expect(visibleLogText('\u001b[2K\u001b[1A\u001b[31mred\u001b[0m')).toBe(
      '\u001b[31mred\u001b[0m',
    )
    expect(visibleLogText('\u001b]0;title\u0007x\u001b]8;;http://evil\u001b\\y')).toBe('xy')
    expect(visibleLogText('\u001bcreset')).toBe('⟨ESC⟩creset')
    expect(visibleLogText('10 %\r20 %')).toBe('10 %␍20 %')
  })
})
