import { expect, it } from 'vitest'
import {
  COLUMN_IDS,
  EXPORTED_FIELDS,
  LEADERBOARD_CSV_COLUMNS,
  leaderboardCells,
  OPTIONAL_COLUMNS,
} from './board-columns.ts'

it('always shows rank and entry, and lets a reader hide the rest', () => {
  expect(COLUMN_IDS.filter((id) => !(OPTIONAL_COLUMNS as readonly string[]).includes(id))).toEqual([
    'rank',
    'subject',
  ])
})

it('names no column of a file twice', () => {
  const names = EXPORTED_FIELDS.map(({ name }) => name)
  expect(new Set(names).size).toBe(names.length)
})

it('keeps the columns of the leaderboard’s file in their order', () => {
  expect(leaderboardCells([])).toEqual([LEADERBOARD_CSV_COLUMNS])
  expect(LEADERBOARD_CSV_COLUMNS.slice(0, 6).join()).toBe(
    'row_id,suite,suite_digest,place,rank_low,rank_high',
  )
})
