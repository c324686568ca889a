import { expect, it } from 'vitest'
import { LEADERBOARD_CSV_COLUMNS, leaderboardCells } from './leaderboard-fields.ts'

it('keeps the columns of the leaderboard’s file in their order', () => {
  expect(leaderboardCells([])).toEqual([LEADERBOARD_CSV_COLUMNS])
  expect(LEADERBOARD_CSV_COLUMNS.slice(0, 6).join()).toBe(
    'row_id,suite,suite_digest,place,rank_low,rank_high',
  )
})
