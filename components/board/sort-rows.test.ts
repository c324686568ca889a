import { expect, it } from 'vitest'
import { sampleBoardRow, tableRow } from './sample-board-row.ts'
import { sortRows } from './sort-rows.ts'

const { success } = sampleBoardRow()
const row = (rowId: string, cost: number | null, rate: number) =>
  tableRow(sampleBoardRow({ rowId, costPerSuccessMicroUsd: cost, success: { ...success, rate } }))
const rows = [
  row('dear', 9, 0.5),
  row('unknown', null, 0.9),
  row('cheap', 1, 0.5),
  row('also', 9, 0.8),
]
const idsOf = (descending: boolean) =>
  sortRows(rows, { column: 'cost', descending }).map(({ id }) => id)

it('sorts by a column, by success among equals, and puts what is unknown last either way', () => {
  expect(idsOf(false)).toEqual(['cheap', 'also', 'dear', 'unknown'])
  expect(idsOf(true)).toEqual(['also', 'dear', 'cheap', 'unknown'])
})

it('keeps the given order among complete equals', () => {
  const same = [row('b', 1, 0.5), row('a', 1, 0.5)]
  expect(sortRows(same, { column: 'cost', descending: false }).map(({ id }) => id)).toEqual([
    'b',
    'a',
  ])
})
