import { expect, it } from 'vitest'
import { formatDifference } from '../text/index.ts'
import { formatP } from './measured-difference.ts'

it('writes points with one decimal and never minus nothing', () => {
  expect([0.1234, -0.034, -0.0001, 0].map(formatDifference)).toEqual(['12.3', '−3.4', '0.0', '0.0'])
})

it('never rounds a p-value over the level', () => {
  expect([0.00002, 0.0123, 0.0499, 0.0502, 0.05, 1].map(formatP)).toEqual([
    '< 0.001',
    '0.012',
    '0.04990',
    '0.05020',
    '0.050',
    '1',
  ])
})
