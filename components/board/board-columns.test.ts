import { expect, it } from 'vitest'
import { BOARD_COLUMNS, COLUMN_IDS, EXPORTED_FIELDS } from './board-columns.tsx'

it('always shows rank and entry, and lets a reader hide the rest', () => {
  expect(COLUMN_IDS.filter((id) => BOARD_COLUMNS[id].fixed)).toEqual(['rank', 'subject'])
})

it('names no column of a file twice', () => {
  const names = EXPORTED_FIELDS.map(({ name }) => name)
  expect(new Set(names).size).toBe(names.length)
})
