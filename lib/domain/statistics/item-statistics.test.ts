import { describe, expect, it } from 'vitest'
import { itemStatistics } from './item-statistics.ts'

const row = (values: Record<string, number>) => new Map(Object.entries(values))

describe('itemStatistics', () => {
  it('correlates each task with the mean of all others over the rows', () => {
    // Task a 1, ½, 0 against task b 1, 1, 0: covariance sum ½, squares ½ and 2/3.
    const rows = [row({ a: 1, b: 1 }), row({ a: 0.5, b: 1 }), row({ a: 0, b: 0 })]
    const [a, b] = itemStatistics(['a', 'b'], rows)
    expect(a).toMatchObject({ taskId: 'a', rows: 3, mean: 0.5, solvedBy: 'some' })
    expect(a?.discrimination).toBeCloseTo(Math.sqrt(3) / 2, 12)
    expect(b?.discrimination).toBeCloseTo(Math.sqrt(3) / 2, 12)
  })

  it('leaves the task itself out of what it is held against', () => {
    // Task a 1, 0, 0 against the mean of b and c 0, ½, 1.
    const rows = [row({ a: 1, b: 0, c: 0 }), row({ a: 0, b: 1, c: 0 }), row({ a: 0, b: 1, c: 1 })]
    const [a] = itemStatistics(['a'], rows)
    expect(a?.discrimination).toBeCloseTo(-0.5 / Math.sqrt((2 / 3) * 0.5), 12)
  })

  it('calls a task dead that every row solves always, or none ever', () => {
    const rows = [row({ a: 1, b: 0, c: 1 }), row({ a: 1, b: 0, c: 0.5 }), row({ a: 1, b: 0, c: 0 })]
    const found = itemStatistics(['a', 'b', 'c'], rows)
    expect(found.map(({ solvedBy }) => solvedBy)).toEqual(['all', 'none', 'some'])
    expect(found.map(({ discrimination }) => discrimination)).toEqual([null, null, null])
  })

  it('says of fewer than three rows nothing but the mean', () => {
    const two = [row({ a: 1, b: 1 }), row({ a: 0, b: 0 })]
    expect(itemStatistics(['a', 'none'], two)).toEqual([
      { taskId: 'a', rows: 2, mean: 0.5, solvedBy: null, discrimination: null },
      { taskId: 'none', rows: 0, mean: null, solvedBy: null, discrimination: null },
    ])
  })

  it('counts only rows that have the task', () => {
    const rows = [row({ a: 1, b: 1 }), row({ a: 1, b: 0 }), row({ a: 1 }), row({ b: 1 })]
    const [a, b] = itemStatistics(['a', 'b'], rows)
    expect(a).toMatchObject({ rows: 3, solvedBy: 'all', discrimination: null })
    expect(b).toMatchObject({ rows: 3, discrimination: null })
  })
})
