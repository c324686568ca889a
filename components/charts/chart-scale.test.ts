import { describe, expect, it } from 'vitest'
import { GALLERY_COUNTS, galleryCharts } from '#lib/testing/cases/chart-gallery.ts'
import { chartDomains, domainOf, formatTick, ticksOf } from './chart-scale.ts'

const axis = (scale: 'linear' | 'log') => ({ title: '', format: 'number', scale }) as const
const textsOf = (values: readonly number[], scale: 'linear' | 'log') =>
  ticksOf(axis(scale), domainOf(axis(scale), values)).map((value) => formatTick(value, 'number'))

describe('a linear axis', () => {
  it('is widened to whole steps, without binary noise', () => {
    expect(textsOf([0, 0.29], 'linear')).toEqual(['0', '0.1', '0.2', '0.3'])
    expect(textsOf([0, 1700], 'linear')).toEqual(['0', '500', '1k', '1.5k', '2k'])
  })

  it('goes below zero where a value does', () => {
    expect(textsOf([-0.12, 0.7], 'linear')).toEqual(['−0.2', '0', '0.2', '0.4', '0.6', '0.8'])
  })

  it('survives one value, nothing but zero, and nothing at all', () => {
    for (const values of [[3], [0], []]) expect(textsOf(values, 'linear').length).toBeGreaterThan(1)
  })
})

describe('a log axis', () => {
  it('has ticks of 1, 2 and 5, and decades alone where those are many', () => {
    expect(textsOf([0.011, 0.09], 'log')).toEqual(['0.01', '0.02', '0.05', '0.1'])
    expect(textsOf([0.001, 900], 'log')).toEqual(['0.001', '0.1', '10', '1k'])
  })

  it.each([
    [12, 31, '10 20'],
    [15.8, 26.4, '15 20 25 30'],
    [0.17, 0.29, '0.15 0.2 0.25 0.3 0.35'],
    [28, 52, '30 40 50 60'],
  ])('of less than a decade, from %d to %d, has round values inside of it', (low, high, texts) => {
    expect(textsOf([low, high], 'log').join(' ')).toBe(texts)
  })

  it('begins above zero, whatever costs nothing', () => {
    expect(domainOf(axis('log'), [0, 1, 10])[0]).toBeCloseTo(0.8)
    expect(domainOf(axis('log'), [0]).every((end) => end > 0)).toBe(true)
  })
})

it('shows success from 0 to 100 per cent', () => {
  const percent = { title: '', format: 'percent', scale: 'linear' } as const
  const ticks = ticksOf(percent, domainOf(percent, [40, 60]))
  expect(ticks.map((value) => formatTick(value, 'percent'))).toEqual([
    '0',
    '25',
    '50',
    '75',
    '100\u00a0%',
  ])
})

it('names whole days, and instants where there are not two of them', () => {
  const days = { title: '', format: 'day', scale: 'linear' } as const
  const at = (text: string) => Date.parse(text)
  const texts = (...instants: string[]) =>
    ticksOf(days, domainOf(days, instants.map(at))).map((value) => formatTick(value, 'day'))
  expect(texts('2026-11-01T12:00Z', '2026-11-21T12:00Z')).toEqual([
    ...['2026-11-03', '2026-11-08', '2026-11-13', '2026-11-18'],
  ])
  expect(texts('2026-11-01T12:00Z', '2026-11-01T18:00Z')).toEqual([
    '2026-11-01 13:00',
    '2026-11-01 17:00',
  ])
})

it.each(GALLERY_COUNTS)('has finite ends for every chart of %d entries', (count) => {
  for (const { name, chart } of galleryCharts(count)) {
    if (!chart) continue
    const { x, y } = chartDomains(chart)
    const ticks = [...ticksOf(chart.x, x), ...(chart.rows ? [] : ticksOf(chart.y, y))]
    for (const value of [...x, ...y, ...ticks]) expect(Number.isFinite(value), name).toBe(true)
    expect(x[0], name).toBeLessThan(x[1])
    expect(JSON.parse(JSON.stringify(chart)), name).toEqual(chart)
  }
})
