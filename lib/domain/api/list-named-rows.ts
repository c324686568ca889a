import { type Board, type BoardRow, categoryRates, entryStyles } from '../board/index.ts'
import type { Suite } from '../tasks/index.ts'
import type { NameCount, NamedKind, NamedRow } from './order-named-rows.ts'
import { orderNamedRows } from './order-named-rows.ts'

/** Lists every row of the agent or library of this name, or with this model. `current` = the current versions of suites. */
export function listNamedRows(
  kind: NamedKind,
  name: string,
  boards: readonly Board[],
  current: readonly Suite[],
): NamedRow[] {
  const rows = boards.flatMap((board) => {
    const styles = entryStyles(board.rows)
    const suite = current.find(({ digest }) => digest === board.suite.digest)
    return board.rows
      .filter((row) => nameOf(kind, row) === name)
      .map((row) => ({
        row,
        style: styles.get(row.rowId),
        suiteTitle: board.suite.title,
        isCurrent: suite !== undefined,
        categories: suite ? categoryRates(row, suite.tasks) : [],
      }))
  })
  return orderNamedRows(rows)
}

/** Lists the names that have such a page. */
export function listNames(kind: NamedKind, boards: readonly Board[]): string[] {
  const rows = boards.flatMap((board) => board.rows)
  return [...new Set(rows.flatMap((row) => nameOf(kind, row) ?? []))]
}

/** Lists every agent, library and control, or every model, by name. */
export function countNames(kind: NamedKind, boards: readonly Board[]): NameCount[] {
  const rows = boards.flatMap((board) => board.rows)
  return listNames(kind, boards)
    .sort()
    .map((name) => {
      const own = rows.filter((row) => nameOf(kind, row) === name)
      const suites = new Set(own.map(({ suiteId }) => suiteId)).size
      const episodes = own.reduce((sum, { success }) => sum + success.attempts, 0)
      return { name, entries: own.length, suites, episodes }
    })
}

function nameOf(kind: NamedKind, { subject }: BoardRow): string | null {
  return kind === 'agent' ? subject.name : subject.modelRequested
}
