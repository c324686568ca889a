import type { BoardRow, CategoryRate, EntryStyle } from '../board/index.ts'
import { BASELINE_ARM } from '../record/index.ts'
import type { EpisodeCell } from './run-view.ts'

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
