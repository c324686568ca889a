import { expect, it } from 'vitest'
import type { BoardRow } from '#lib/domain/board/index.ts'
import { sampleBoardRow } from '#lib/testing/factories/sample-board-row.ts'
import { tieTexts } from './table-row.ts'

const tied = (letters: string, changes: Partial<BoardRow> = {}): BoardRow =>
  sampleBoardRow({ ...changes, rank: { place: 1, low: 1, high: 3, tieGroup: 1, letters } })

it('are the letters as long as all rows of a pool can show theirs', () => {
  const rows = [tied('A'), tied('AB'), tied('BC'), tied('C')]
  const texts = rows.map(tieTexts(rows))
  expect(texts.map((text) => text?.text)).toEqual(['A', 'AB', 'BC', 'C'])
  expect(texts[1]?.title).toContain('2 other entries')
})

it('are a number in a pool where one has more letters than can be read', () => {
  const many = ['A', 'AB2', 'B2CDEFGH', 'Z'].map((letters) => tied(letters))
  const scripted = tied('A', { driven: 'scripted' })
  const rows = [...many, scripted]
  const texts = rows.map(tieTexts(rows))
  expect(texts.map((text) => text?.text)).toEqual(['1 tie', '2 ties', '1 tie', '0 ties', 'A'])
  expect(texts[1]?.title).toBe('no significant difference from 2 other entries')
})

it('are none of rows without a rank', () => {
  expect(tieTexts([])(sampleBoardRow({ rank: null }))).toBeNull()
})
