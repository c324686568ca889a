import { expect, it } from 'vitest'
import { formatRate } from './rate.ts'

it.each([
  [0.62, 0.53, 0.71, '62', '± 9'],
  [1, 0.863, 1, '100', '−14'],
  [0, 0, 0.137, '0', '+14'],
  [0.84, 0.684, 0.955, '84', '+12 −16'],
  [0.9925, 0.985, 0.9999, '99.3', '+0.7 −0.8'],
  [0.5, null, null, '50.0', ''],
  [null, null, null, '–', ''],
])('shows %s (%s to %s) as %s %s', (rate, low, high, text, spread) => {
  expect(formatRate(rate, low, high)).toEqual({ rate: text, spread })
})
