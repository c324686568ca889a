import { describe, expect, it } from 'vitest'
import { dayScale, formatTick, linearScale, logScale, niceStep, percentScale } from './scale.ts'

const PLACES = [0, 100] as const
const textsOf = ({ ticks }: { ticks: readonly { text: string }[] }) => ticks.map(({ text }) => text)

describe('nice steps', () => {
  it.each([
    [0.3, 4, 0.1],
    [0.9, 5, 0.2],
    [7, 5, 2],
    [100, 4, 50],
    [1e6, 5, 200_000],
  ])('divides %d into at most %d parts of %d', (span, most, step) => {
    expect(niceStep(span, most)).toBe(step)
  })
})

describe('a log scale of less than a decade', () => {
  it.each([
    [12, 31, '10 20'],
    [15.8, 26.4, '15 20 25 30'],
    [0.17, 0.29, '0.15 0.2 0.25 0.3 0.35'],
    [28, 52, '30 40 50 60'],
  ])('from %d to %d has round values inside of it, apart', (low, high, texts) => {
    const { ticks } = logScale([low, high], PLACES)
    expect(textsOf({ ticks }).join(' ')).toBe(texts)
    const values = ticks.map(({ value }) => value)
    expect(Math.min(...values)).toBeGreaterThanOrEqual(low / 1.25)
    expect(Math.max(...values)).toBeLessThanOrEqual(high * 1.25)
    const places = ticks.map(({ at }) => at)
    expect(Math.max(...places) - Math.min(...places)).toBeGreaterThan(15)
  })
})

describe('a linear scale', () => {
  it('is widened to whole steps, without binary noise', () => {
    expect(textsOf(linearScale([0, 0.29], PLACES))).toEqual(['0', '0.1', '0.2', '0.3'])
    expect(textsOf(linearScale([0, 1700], PLACES))).toEqual(['0', '500', '1k', '1.5k', '2k'])
  })

  it('places values between its ends', () => {
    const { at } = linearScale([0, 10], [20, 120])
    expect([at(0), at(5), at(10)]).toEqual([20, 70, 120])
  })

  it('survives one value, and nothing but zero', () => {
    expect(linearScale([0, 0], PLACES).ticks.length).toBeGreaterThan(1)
    expect(linearScale([3, 3], PLACES).at(3)).toBeLessThan(101)
  })
})

describe('a log scale', () => {
  it('has ticks of 1, 2 and 5', () => {
    expect(textsOf(logScale([0.011, 0.09], PLACES))).toEqual(['0.01', '0.02', '0.05', '0.1'])
  })

  it('has decades alone where those are many', () => {
    expect(textsOf(logScale([0.001, 900], PLACES))).toEqual(['0.001', '0.1', '10', '1k'])
  })

  it('puts what costs nothing at its beginning, and stays finite without any value', () => {
    const scale = logScale([0, 1, 10], PLACES)
    expect(scale.at(0)).toBeCloseTo(0)
    expect(scale.at(10)).toBeLessThanOrEqual(100)
    expect(Number.isFinite(logScale([0], PLACES).at(0))).toBe(true)
  })
})

it('shows per cent from 0 to 100, and nothing outside', () => {
  const { at, ticks } = percentScale([200, 0])
  expect(textsOf({ ticks })).toEqual(['0', '25', '50', '75', '100 %'])
  expect([at(-5), at(50), at(120)]).toEqual([200, 100, 0])
})

describe('a scale of days', () => {
  const day = (text: string) => Date.parse(text)

  it('has whole days, some steps apart', () => {
    const scale = dayScale([day('2026-11-01T12:00Z'), day('2026-11-21T12:00Z')], PLACES)
    expect(textsOf(scale)).toEqual(['2026-11-02', '2026-11-07', '2026-11-12', '2026-11-17'])
  })

  it('names one day in the middle where all happened on it', () => {
    const at = day('2026-11-01T12:00Z')
    const scale = dayScale([at, at], PLACES)
    expect(scale.ticks).toEqual([{ value: at, at: 50, text: '2026-11-01' }])
    expect(scale.at(at)).toBe(50)
  })

  it('draws in one place what happened within one minute', () => {
    const [first, last] = [day('2026-11-01T12:00:01Z'), day('2026-11-01T12:00:59Z')]
    const scale = dayScale([first, last], PLACES)
    expect(textsOf(scale)).toEqual(['2026-11-01'])
    expect([scale.at(first), scale.at(last)]).toEqual([50, 50])
  })

  it('names both instants with their time where they are less than a day apart', () => {
    const scale = dayScale([day('2026-11-01T12:00Z'), day('2026-11-01T18:30Z')], PLACES)
    expect(textsOf(scale)).toEqual(['2026-11-01 12:00', '2026-11-01 18:30'])
    expect(scale.ticks.map(({ at }) => at)).toEqual([0, 100])
  })
})

it('writes large numbers short', () => {
  expect([0, 0.05, 999, 1500, 2_000_000].map(formatTick)).toEqual([
    '0',
    '0.05',
    '999',
    '1.5k',
    '2M',
  ])
})
