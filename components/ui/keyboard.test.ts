import { describe, expect, it } from 'vitest'
import { arrowTarget } from './keyboard.ts'

describe('arrow keys in a table', () => {
  const lengths = [3, 0, 1, 2]

  it('skips rows without a stop and stays inside shorter ones', () => {
    expect(arrowTarget('ArrowDown', { row: 0, stop: 2 }, lengths)).toEqual({ row: 2, stop: 0 })
    expect(arrowTarget('ArrowUp', { row: 2, stop: 0 }, lengths)).toEqual({ row: 0, stop: 0 })
  })

  it('stops at the edges and leaves other keys alone', () => {
    expect(arrowTarget('ArrowUp', { row: 0, stop: 0 }, lengths)).toBeNull()
    expect(arrowTarget('ArrowDown', { row: 3, stop: 0 }, lengths)).toBeNull()
    expect(arrowTarget('ArrowLeft', { row: 0, stop: 0 }, lengths)).toBeNull()
    expect(arrowTarget('ArrowRight', { row: 0, stop: 2 }, lengths)).toBeNull()
    expect(arrowTarget('a', { row: 0, stop: 0 }, lengths)).toBeNull()
  })

  it('goes to both ends of a row', () => {
    expect(arrowTarget('End', { row: 0, stop: 0 }, lengths)).toEqual({ row: 0, stop: 2 })
    expect(arrowTarget('Home', { row: 0, stop: 2 }, lengths)).toEqual({ row: 0, stop: 0 })
  })
})
