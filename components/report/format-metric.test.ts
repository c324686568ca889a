import { describe, expect, it } from 'vitest'
import type { AxisColumn, AxisUnit, AxisValue } from '#lib/domain/reports/index.ts'
import { formatMetric } from './format-metric.ts'

const column = (unit: AxisUnit): AxisColumn => ({
  id: 'figure',
  title: 'Figure',
  unit,
  role: 'supporting',
  meaning: '',
})
const figure = (changes: Partial<AxisValue>): AxisValue => ({
  value: 0.5,
  low: 0.25,
  high: 0.75,
  tasks: 4,
  episodes: 12,
  method: 'by hand',
  ...changes,
})

describe('formatMetric', () => {
  it('shows a number with its interval, its denominators and its method', () => {
    expect(formatMetric(column('share'), figure({}))).toEqual({
      text: '50.0',
      interval: '25.0–75.0',
      size: '4 tasks, 12 ep.',
      title: '50.0 % · 4 tasks, 12 ep. · by hand',
    })
  })

  it('has no more digits than people read, also in its title', () => {
    const hourly = figure({ value: 230.49506640961252 })
    expect(formatMetric(column('per-hour'), hourly).title).toContain('230.5 per hour ·')
  })

  it('has a dash and the reason for what is unknown', () => {
    const none = figure({ value: null, low: null, high: null, method: 'No success.' })
    expect(formatMetric(column('tokens'), none)).toEqual({
      text: '–',
      interval: null,
      size: '',
      title: 'No success.',
    })
    expect(formatMetric(column('tokens'), undefined).text).toBe('–')
  })

  it('says when an interval has no upper bound, and shows a rank as its range', () => {
    const open = figure({ value: 2e6, low: 1e6, high: null })
    expect(formatMetric(column('micro-usd'), open).interval).toBe('1.00–∞')
    expect(formatMetric(column('place'), figure({ value: 1, low: 1, high: 3 })).text).toBe('1–3')
    expect(formatMetric(column('place'), figure({ value: 2, low: 2, high: 2 })).text).toBe('2')
  })
})
