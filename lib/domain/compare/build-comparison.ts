import type { BoardRow } from '../board/board-row.ts'
import { countOf, listNames } from '../eligibility/list-names.ts'
import { compareRows, type RowComparison } from '../statistics/compare-rows.ts'
import type {
  Comparison,
  ComparisonInput,
  ComparisonView,
  PairView,
  TaskCell,
} from './comparison.ts'
import { judgeStanding } from './judge-standing.ts'
import { listFlips, taskCells } from './list-flips.ts'
import { nameRows } from './name-rows.ts'
import { orientPair } from './orient-pair.ts'
import { refuseComparison } from './refuse-comparison.ts'
import { sayMultiplicity } from './say-multiplicity.ts'
import { sayPair } from './say-pair.ts'

type NamedRow = { name: string; row: BoardRow; cells: Map<string, TaskCell> }
type NamedTask = { taskId: string; title: string }

/**
 * Some rows of one suite version against each other: every pair with its verdict, difference, interval and adjusted p,
 * the tasks that flip, the counts per task, and whether the verdicts may be quoted; or the reason why not. Pairs stand
 * in the order of the question, which changes no number. `numbers` are those of `compareRows` for the same rows, for
 * who has them already.
 */
export function buildComparison(input: ComparisonInput, numbers?: RowComparison): Comparison {
  const refusal = refuseComparison(input)
  if (refusal) return refusal
  const names = nameRows(askedRows(input))
  const rows = askedRows(input).map((row) => ({
    row,
    name: names.get(row.rowId) ?? row.rowId,
    cells: taskCells(row),
  }))
  const compared = numbers ?? compareRows(rowTallies(input))
  const tasks = listTasks(input, rows)
  return {
    ok: true,
    suite: describeSuite(input, rows, tasks),
    rows: rows.map(({ name, row }) => describeRow(name, row)),
    pairs: rows.flatMap((a, index) =>
      rows.slice(index + 1).map((b) => describePair(a, b, tasks, compared)),
    ),
    multiplicity: sayMultiplicity(compared),
    standing: judgeStanding(rows),
    notes: sayNotes(rows),
    tasks: tasks.map((task) => ({
      ...task,
      cells: rows.map(({ cells }) => cells.get(task.taskId) ?? null),
    })),
  }
}

/** What `compareRows` needs of the rows asked for. */
export function rowTallies(input: ComparisonInput) {
  return askedRows(input).map(({ rowId, tasks, looks }) => ({ key: rowId, tallies: tasks, looks }))
}

function askedRows({ rowIds, rows }: ComparisonInput): BoardRow[] {
  return rowIds.flatMap((rowId) => rows.find((row) => row.rowId === rowId) ?? [])
}

/** The suite's tasks in its own order, and any that only a row knows. */
function listTasks({ suites }: ComparisonInput, rows: readonly NamedRow[]): NamedTask[] {
  const suite = suites.find(({ digest }) => digest === rows[0]?.row.suiteDigest)
  const known = (suite?.tasks ?? []).map(({ taskId, title }) => ({ taskId, title }))
  const ids = new Set(known.map(({ taskId }) => taskId))
  const more = new Set(rows.flatMap(({ cells }) => [...cells.keys()].filter((id) => !ids.has(id))))
  return [...known, ...[...more].sort().map((taskId) => ({ taskId, title: taskId }))]
}

function describeSuite(
  { suites }: ComparisonInput,
  rows: readonly NamedRow[],
  tasks: readonly NamedTask[],
): ComparisonView['suite'] {
  const { suiteId = '', suiteDigest = '' } = rows[0]?.row ?? {}
  const suite = suites.find(({ digest }) => digest === suiteDigest)
  const { title, version } = suite ?? { title: suiteId, version: null }
  return { suiteId, title, version, digest: suiteDigest, tasks: tasks.length }
}

function describeRow(name: string, row: BoardRow): ComparisonView['rows'][number] {
  const { rowId, subject, label, driven, success, repetitions, runIds } = row
  return { rowId, name, subject, label, driven, success, repetitions, runIds }
}

function describePair(
  a: NamedRow,
  b: NamedRow,
  tasks: readonly NamedTask[],
  compared: RowComparison,
): PairView {
  const isScored = ({ cells }: NamedRow, taskId: string) => (cells.get(taskId)?.scored ?? 0) > 0
  const idsWhere = (left: boolean, right: boolean) =>
    tasks
      .map(({ taskId }) => taskId)
      .filter((id) => isScored(a, id) === left && isScored(b, id) === right)
  const result = orientPair(compared, a.row.rowId, b.row.rowId)
  const common = idsWhere(true, true).length
  return {
    a: a.row.rowId,
    b: b.row.rowId,
    sentence: sayPair(a.name, b.name, { result, common }),
    result,
    common,
    leftOut: {
      onlyA: idsWhere(true, false),
      onlyB: idsWhere(false, true),
      neither: idsWhere(false, false),
    },
    flipped: listFlips(tasks, a.cells, b.cells),
    isClaim: judgeStanding([a, b]).kind === 'claim',
  }
}

function sayNotes(rows: readonly NamedRow[]): string[] {
  const uneven = rows.filter(({ row }) => row.repetitions.least !== row.repetitions.most)
  const voids = rows.filter(({ row }) => row.success.voids > 0)
  const notes: string[] = []
  if (uneven.length > 0) {
    const who = listNames(
      uneven.map(({ name }) => name),
      rows.length,
    )
    notes.push(
      `Unequal repetitions in ${who}: every task weighs the same, however often it was run.`,
    )
  }
  for (const { name, row } of voids) {
    notes.push(`${countOf(row.success.voids, 'void episode')} of ${name} left out.`)
  }
  for (const { name, row } of rows) {
    if (row.looks)
      notes.push(
        `${name} was not measured in one go: ${row.looks.reason} Its tests and intervals are always-valid.`,
      )
  }
  return notes
}
