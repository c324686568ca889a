import {
  type Board,
  type BoardRow,
  type CategoryRate,
  categoryRates,
  type EntryStyle,
  entryStyles,
} from '../board/index.ts'
import { BASELINE_ARM } from '../record/index.ts'
import type { Suite } from '../tasks/index.ts'
import type { EpisodeCell } from './run-view.ts'

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

/**
 * Sorts entries of one agent or model: current suites first, ranked before unranked, runs without planned faults before
 * runs under them, as on a board, then by latest day; within a day the version measured last, and within a version rows
 * without an arm. The first one represents all in link previews.
 */
export function orderNamedRows(rows: readonly NamedRow[]): NamedRow[] {
  const latest = new Map<string, string>()
  for (const named of rows) {
    const { lastStartedAt } = named.row
    const known = latest.get(groupOf(named))
    if (known === undefined || known < lastStartedAt) latest.set(groupOf(named), lastStartedAt)
  }
  const weightOf = ({ row, isCurrent }: NamedRow) =>
    (isCurrent ? 4 : 0) + (row.rank ? 2 : 0) + (row.recovery === null ? 1 : 0)
  const keyOf = (named: NamedRow) =>
    [
      latest.get(groupOf(named)) ?? '',
      groupOf(named),
      isArm(named) ? '0' : '1',
      named.row.lastStartedAt,
    ].join('\n')
  return [...rows].sort(
    (a, b) => weightOf(b) - weightOf(a) || (keyOf(a) < keyOf(b) ? 1 : keyOf(a) > keyOf(b) ? -1 : 0),
  )
}

/** Group key: entries of one version and weight, measured on one day. */
function groupOf({ row, isCurrent }: NamedRow): string {
  const { name, version, modelRequested } = row.subject
  return JSON.stringify([
    isCurrent,
    row.rank !== null,
    row.lastStartedAt.slice(0, 10),
    name,
    version,
    modelRequested,
  ])
}

/** The baseline is the agent itself. */
function isArm({ row: { subject } }: NamedRow): boolean {
  return subject.arm !== undefined && subject.arm !== BASELINE_ARM
}

/** Subject of a page: an agent or library, or the model that rows were measured with. */
export type NamedKind = 'agent' | 'model'

/** One row with the other facts that the page shows about it. */
export type NamedRow = {
  row: BoardRow
  /** Style in charts; absent = the row is drawn alone. */
  style?: EntryStyle | undefined
  suiteTitle: string
  /** True on the current version of the suite. */
  isCurrent: boolean
  categories: CategoryRate[]
}

/** Number of attempts with one ending; `failureCategory` null = no failure. */
export type OutcomeCount = Pick<EpisodeCell, 'status' | 'failureCategory'> & { episodes: number }

export type NamedRows = { name: string; rows: NamedRow[]; outcomes: OutcomeCount[] }

/** Numbers on the page of an agent or a model. */
export type NameCount = { name: string; entries: number; suites: number; episodes: number }

/** A file of a task as stored on this machine. */
type TaskText = { path: string; text: string; isCut: boolean }

/** Files of an exercise that the agent is given. */
export type TaskTexts = { instructions: TaskText[]; stub: TaskText[] }
