import { expect, it } from 'vitest'
import type { ChartPoint } from './chart.ts'
import { findPoint, nextPoint } from './find-point.ts'

const at = (id: string, x: number, y: number, more: Partial<ChartPoint> = {}): ChartPoint => ({
  id,
  x,
  y,
  series: 0,
  name: id,
  text: '',
  isSolid: true,
  ...more,
})
const PIXELS = { x: (value: number) => value, y: (value: number) => value }

it('finds the nearest point within reach, and none far from all', () => {
  const points = [at('a', 10, 10), at('b', 40, 10)]
  expect(findPoint({}, points, PIXELS, [30, 12])).toBe(1)
  expect(findPoint({}, points, PIXELS, [200, 200])).toBe(-1)
})

it('finds the step of a curve that the pointer is beside', () => {
  const points = [at('a', 10, 50), at('b', 100, 20), at('c', 10, 80, { series: 1 })]
  const find = (left: number, top: number) =>
    findPoint({ join: 'step' }, points, PIXELS, [left, top])
  expect([find(60, 52), find(120, 22), find(60, 78), find(5, 50)]).toEqual([0, 1, 2, -1])
})

it('finds a row by its height, and a bar only on it', () => {
  const rows = [{ name: 'one' }]
  expect(findPoint({ rows }, [at('a', 10, 20)], PIXELS, [500, 25])).toBe(0)
  const bars = [at('a', 50, 20, { from: 0 }), at('b', 90, 20, { from: 50 })]
  expect(findPoint({ rows }, bars, PIXELS, [70, 25])).toBe(1)
  expect(findPoint({ rows }, bars, PIXELS, [95, 25])).toBe(-1)
})

it('walks the points by arrow keys and stays at both ends', () => {
  expect(nextPoint('ArrowRight', -1, 3)).toBe(0)
  expect(nextPoint('ArrowRight', 2, 3)).toBe(2)
  expect(nextPoint('ArrowLeft', 0, 3)).toBe(0)
  expect(nextPoint('End', 0, 3)).toBe(2)
  expect(nextPoint('Tab', 0, 3)).toBeNull()
  expect(nextPoint('ArrowRight', -1, 0)).toBeNull()
})
