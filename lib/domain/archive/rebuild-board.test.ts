import { expect, it } from 'vitest'
import { firstDifference } from './rebuild-board.ts'

it.each([
  [{ a: [1, 2] }, { a: [1, 2] }, null],
  [{ a: [1, 2, 3] }, { a: [1, 5] }, 'a.1: 2 is not 5'],
  [{ a: 1, b: 2 }, { a: 1 }, 'b: 2 is not (nothing)'],
  [{ rows: [{ rank: null }] }, { rows: [{ rank: {} }] }, 'rows.0.rank: null is not {}'],
  [[], {}, '(root): [] is not {}'],
])('%j against %j', (left, right, words) => {
  expect(firstDifference(left, right)).toBe(words)
})
