import { expect, it } from 'vitest'
import { maxPlayMs } from './draw-canaries.ts'

it('gives the solution a multiple of its usual time on altered tests, and more with each draw', () => {
  expect([3, 2, 1].map((left) => maxPlayMs(1000, left))).toEqual([10_000, 20_000, 40_000])
  expect([3, 2, 1].map((left) => maxPlayMs(20_000, left))).toEqual([100_000, 200_000, 400_000])
  expect(maxPlayMs(null, 3)).toBe(Number.POSITIVE_INFINITY)
})
