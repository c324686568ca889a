import type { Board, BoardRow } from '../board/board-row.ts'
import { canonicalJson } from '../canonical-json.ts'
import { isStressRow } from './axis-measure.ts'

/** The row of the same subject and settings that was measured without a fault. */
export function findBaseline(row: BoardRow, { rows }: Pick<Board, 'rows'>): BoardRow | undefined {
  const key = identityOf(row)
  return rows.find((other) => !isStressRow(other) && identityOf(other) === key)
}

function identityOf({ subject, settings: { fault: _, ...settings } }: BoardRow): string {
  return canonicalJson({ subject, settings })
}
