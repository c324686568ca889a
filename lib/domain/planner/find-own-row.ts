import type { BoardRow } from '../board/board-row.ts'
import { rankPoolOf } from '../board/rank-board.ts'
import { type Subject, subjectLabel } from '../subject.ts'
import type { PastRow } from './assume-variances.ts'

/** The row of the same subject and model, whatever version and settings, that has the most scored episodes. */
export function findOwnRow(rows: readonly BoardRow[], subject: Subject): PastRow | null {
  const own = rows.filter(
    (row) =>
      row.subject.name === subject.name && row.subject.modelRequested === subject.modelRequested,
  )
  const [most] = own.sort((a, b) => b.success.attempts - a.success.attempts)
  return most ? asPastRow(most) : null
}

/** A board's row as the planner learns from it. */
export function asPastRow({ subject, tasks }: BoardRow): PastRow {
  return { label: subjectLabel(subject), tasks }
}

/**
 * How many ranked rows a plan of this subject would stand among, itself included: those that are driven in the same way
 * and measured without faults. At least 2: a difference takes somebody to differ from.
 */
export function countPool(rows: readonly BoardRow[], subject: Subject): number {
  const isDriven = subject.kind === 'agent' || subject.modelRequested !== null
  const pool = isDriven ? 'primary/llm' : 'primary/scripted'
  const others = rows.filter(
    (row) =>
      row.rank !== null &&
      rankPoolOf(row) === pool &&
      subjectLabel(row.subject) !== subjectLabel(subject),
  )
  return Math.max(2, others.length + 1)
}
