import type { BoardRow } from '../board/board-row.ts'
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
