import type { BoardRow } from './board-row.ts'

/** How many of its scored episodes a control of ours solves, if the instrument works. */
const EXPECTED: Readonly<Record<string, 'all' | 'some' | 'none'>> = {
  reference: 'all',
  flaky: 'some',
  nop: 'none',
  wrong: 'none',
  cheater: 'none',
}

/** One control's row and whether it came out as it must; null = nothing of it is scored yet. */
export type InstrumentCheck = { rowId: string; name: string; asExpected: boolean | null }

/** The controls among the rows: they say whether the instrument can be trusted, and are no competitors. */
export function checkInstrument(rows: readonly BoardRow[]): InstrumentCheck[] {
  return rows.flatMap((row) => {
    const expected = row.subject.kind === 'control' ? EXPECTED[row.subject.name] : undefined
    if (expected === undefined) return []
    return [{ rowId: row.rowId, name: row.subject.name, asExpected: isAsExpected(row, expected) }]
  })
}

/** The first of some boards on which a control was scored, with what its controls say; null = on none. */
export function findChecked<B extends { rows: readonly BoardRow[] }>(
  boards: readonly B[],
): { board: B; checks: InstrumentCheck[] } | null {
  for (const board of boards) {
    const checks = checkInstrument(board.rows).filter(({ asExpected }) => asExpected !== null)
    if (checks.length > 0) return { board, checks }
  }
  return null
}

/** How many of the rows are controls, which are no entries. */
export function countControls(rows: readonly Pick<BoardRow, 'subject'>[]): number {
  return rows.filter(({ subject }) => subject.kind === 'control').length
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
