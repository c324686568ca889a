import { expect, it } from 'vitest'
import type { BoardRow } from './board-row.ts'
import { findChecked } from './instrument-checks.ts'

const control = (name: string, solved: number, scored: number) =>
  ({ subject: { kind: 'control', name }, tasks: [{ solved, scored }] }) as unknown as BoardRow

it('finds the first board with scored controls, and says which of them came out wrong', () => {
  const board = (name: string, ...rows: BoardRow[]) => ({ name, rows })
  const found = findChecked([
    board('without'),
    board('unscored', control('reference', 0, 0)),
    board('other', control('a-control-of-others', 1, 1)),
    board('checked', control('reference', 3, 3), control('nop', 1, 3), control('wrong', 0, 0)),
    board('later', control('nop', 0, 1)),
  ])
  expect(found?.board.name).toBe('checked')
  expect(found?.checks.map(({ name, asExpected }) => [name, asExpected])).toEqual([
    ['reference', true],
    ['nop', false],
  ])
  expect(findChecked([board('without')])).toBeNull()
})
