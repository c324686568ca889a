import { countOf } from '../text/index.ts'
import type { BoardRow } from './board-row.ts'

/** Share of its scored episodes that each shipped control solves if the benchmark works. */
const EXPECTED: Readonly<Record<string, 'all' | 'some' | 'none'>> = {
  reference: 'all',
  flaky: 'some',
  nop: 'none',
  wrong: 'none',
  cheater: 'none',
}

/** A control's row, and whether its result is as expected; null = nothing is scored yet. */
export type InstrumentCheck = { rowId: string; name: string; asExpected: boolean | null }

/** Checks the controls among the rows, which test the benchmark itself and are not entries. */
export function checkInstrument(rows: readonly BoardRow[]): InstrumentCheck[] {
  return rows.flatMap((row) => {
    const expected = row.subject.kind === 'control' ? EXPECTED[row.subject.name] : undefined
    if (expected === undefined) return []
    return [{ rowId: row.rowId, name: row.subject.name, asExpected: isAsExpected(row, expected) }]
  })
}

/** Returns the first board on which a control was scored, with its checks; null = none. */
export function findChecked<B extends { rows: readonly BoardRow[] }>(
  boards: readonly B[],
): { board: B; checks: InstrumentCheck[] } | null {
  for (const board of boards) {
    const checks = checkInstrument(board.rows).filter(({ asExpected }) => asExpected !== null)
    if (checks.length > 0) return { board, checks }
  }
  return null
}

/** Counts the rows of a board, and those of controls among them, which are not entries. */
export function countRows(rows: readonly Pick<BoardRow, 'subject'>[]): RowCounts {
  const controls = rows.filter(({ subject }) => subject.kind === 'control').length
  return { rows: rows.length, controls }
}

type RowCounts = { rows: number; controls: number }

/** Formats the number of rows of a board: `7 entries`, or `7 entries, 5 controls`. */
export function formatRowCounts({ rows, controls }: RowCounts): string {
  const entries = countOf(rows - controls, 'entry')
  return controls > 0 ? `${entries}, ${countOf(controls, 'control')}` : entries
}

function isAsExpected(row: BoardRow, expected: 'all' | 'some' | 'none'): boolean | null {
  const scored = sum(row, 'scored')
  if (scored === 0) return null
  const solved = sum(row, 'solved')
  if (expected === 'all') return solved === scored
  return expected === 'none' ? solved === 0 : solved > 0 && solved < scored
}

function sum(row: BoardRow, what: 'solved' | 'scored'): number {
  return row.tasks.reduce((total, task) => total + task[what], 0)
}
