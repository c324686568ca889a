import type { Board, BoardRow, RowTask } from '../board/board-row.ts'
import { BROWSER_FAULTS } from '../browser/browser-fault.ts'
import { INJECTOR_WORDS } from '../browser/browser-words.ts'
import { isStressRow } from './axis-measure.ts'
import type { FaultCell, FaultGroup, FaultRow } from './axis-report.ts'
import { findBaseline } from './find-baseline.ts'

/** Task × row × fault of a board's stress rows, in the order of the faults' kinds; undefined when there are none. */
export function buildFaultMatrix(board: Board): FaultGroup[] | undefined {
  const groups = new Map<string, BoardRow[]>()
  for (const row of board.rows) {
    const { fault } = row.settings
    if (fault === undefined || !isStressRow(row)) continue
    groups.set(fault, [...(groups.get(fault) ?? []), row])
  }
  if (groups.size === 0) return undefined
  return [...groups].sort(byKind).map(([fault, rows]) => toGroup(fault, rows, board))
}

const KINDS = Object.keys(BROWSER_FAULTS)

function byKind([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number {
  const places = [a, b].map((fault) => KINDS.indexOf(kindOf(fault)))
  return (places[0] ?? 0) - (places[1] ?? 0) || (a < b ? -1 : 1)
}

function kindOf(fault: string): string {
  return fault.split('@')[0] ?? fault
}

function toGroup(fault: string, rows: readonly BoardRow[], board: Board): FaultGroup {
  const known = new Map(Object.entries(BROWSER_FAULTS)).get(kindOf(fault))
  const members = rows.map((row) => toRow(row, board))
  const tasks = board.suite.tasks.filter(({ taskId }) =>
    members.some(({ cells }) => cells[taskId] !== undefined),
  )
  return {
    fault,
    what: known?.what ?? null,
    by: known ? INJECTOR_WORDS[known.by] : null,
    tasks: tasks.map(({ taskId, title }) => ({ taskId, title })),
    rows: members,
  }
}

function toRow(row: BoardRow, board: Board): FaultRow {
  const { rowId, subject, label, driven, browser, settings } = row
  const baseline = new Map(findBaseline(row, board)?.tasks.map((task) => [task.taskId, task]))
  const cells = row.tasks.flatMap((task) =>
    task.scored > 0 ? [[task.taskId, toCell(task, baseline.get(task.taskId))]] : [],
  )
  return {
    rowId,
    subject,
    label,
    driven,
    ...(settings.browser ? { browser: settings.browser } : {}),
    cells: Object.fromEntries(cells),
    rungs: browser?.rungs ?? null,
    detectMs: browser?.detectMs ?? null,
  }
}

function toCell({ scored, faults, recovery }: RowTask, plain: RowTask | undefined): FaultCell {
  return {
    scored,
    fired: faults?.fired ?? 0,
    recovered: faults?.recovered ?? 0,
    baseline: plain && plain.scored > 0 ? { solved: plain.solved, scored: plain.scored } : null,
    rungs: recovery?.rungs ?? null,
    detectMs: recovery?.detectMs ?? null,
  }
}
