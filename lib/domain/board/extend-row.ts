import type { BoardRow } from './board-row.ts'

/**
 * Gives rows members that depend on the other rows. As long as these are the same, a row's answer is the same object, so
 * that a board knows by reference which of its rows differ from those of the last time.
 */
export function rowExtender<Members extends Partial<BoardRow>>(
  isSame: (one: Members, other: Members) => boolean,
): (row: BoardRow, members: Members) => BoardRow {
  const known = new WeakMap<BoardRow, { members: Members; extended: BoardRow }>()
  return (row, members) => {
    const before = known.get(row)
    if (before && isSame(before.members, members)) return before.extended
    const extended = { ...row, ...members }
    known.set(row, { members, extended })
    return extended
  }
}
