import type { BoardRow } from './board-row.ts'

/**
 * Adds members to rows that depend on the other rows. Returns the same object for a row as long as these members are
 * the same, so that a board finds changed rows by reference.
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
