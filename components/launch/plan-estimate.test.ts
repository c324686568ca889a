import { expect, it } from 'vitest'
import { formatFloor } from './plan-estimate.tsx'

it('names no difference that rates cannot have', () => {
  expect(formatFloor({ value: 0.187, reason: '' }, 25)).toMatch(
    /^With 25 tasks, more repetitions cannot detect differences below 18\.7 points/,
  )
  expect(formatFloor({ value: 3.319, reason: '' }, 2)).toBe(
    'With 2 tasks, no number of repetitions detects a difference. Add tasks.',
  )
  expect(formatFloor({ value: null, reason: 'none' }, 1)).toBe('More repetitions do not help: none')
})
