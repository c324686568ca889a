import { type BoardRow, describeStop } from '../board/index.ts'
import { whatWouldDecide } from '../planner/index.ts'
import { compareRows, type RowComparison } from '../statistics/index.ts'
import { countOf, listNames } from '../text/index.ts'
import { compareArms } from './arm-effects.ts'
import type {
  Comparison,
  ComparisonInput,
  ComparisonView,
  FlippedTask,
  PairView,
  TaskCell,
} from './comparison.ts'
import { decideComparisonEligibility, refuseComparison } from './comparison-eligibility.ts'
import { formatMultiplicity, formatPair, formatPairDetails, nameRows } from './format-comparison.ts'
import { normaliseComparison } from './normalise-comparison.ts'

type NamedRow = { name: string; row: BoardRow; cells: Map<string, TaskCell> }
type NamedTask = { taskId: string; title: string }

/**
 * Compares rows of one suite version: every pair with its verdict, difference, interval and adjusted p, the tasks that
 * flip, the counts per task, and whether the verdicts are safe to cite; or the reason why not. Pairs are in the order
 * of the request, which does not change any number. `numbers` are those of `compareRows` for the same rows, if already
 * computed.
 */
export function buildComparison(input: ComparisonInput, numbers?: RowComparison): Comparison {
  const refusal = refuseComparison(input)
  if (refusal) return refusal
  const names = input.names ?? nameRows(askedRows(input))
  const rows = askedRows(input).map((row) => ({
    row,
    name: names.get(row.rowId) ?? row.rowId,
    cells: taskCells(row),
  }))
  const compared = numbers ?? compareRows(rowTaskCounts(input))
  const tasks = listTasks(input, rows)
  const arms = compareArms(askedRows(input), compared)
  return {
    ok: true,
    suite: describeSuite(input, rows, tasks),
    rows: rows.map(({ name, row }) => describeRow(name, row)),
    pairs: describePairs(rows, tasks, compared),
    ...(arms && { arms }),
    multiplicity: formatMultiplicity(compared),
    standing: decideComparisonEligibility(rows),
    notes: listNotes(rows),
    tasks: tasks.map((task) => ({
      ...task,
      cells: rows.map(({ cells }) => cells.get(task.taskId) ?? null),
    })),
  }
}

/** Input of `compareRows` for the requested rows. */
export function rowTaskCounts(input: ComparisonInput) {
  return askedRows(input).map(({ rowId, tasks, looks }) => ({ key: rowId, tallies: tasks, looks }))
}

function askedRows({ rowIds, rows }: ComparisonInput): BoardRow[] {
  return rowIds.flatMap((rowId) => rows.find((row) => row.rowId === rowId) ?? [])
}

/** The suite's tasks in its own order, and any that only a row contains. */
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

/**
 * Pairs for which the samples that would decide are simulated; further pairs use a formula.
 */
const MAX_SIMULATED_PAIRS = 3

function describePairs(
  rows: readonly NamedRow[],
  tasks: readonly NamedTask[],
  compared: RowComparison,
): PairView[] {
  const pool = rows.map(({ row }) => row)
  let undecided = 0
  return rows.flatMap((a, index) =>
    rows.slice(index + 1).map((b) => {
      const pair = describePair(a, b, tasks, compared)
      const { result } = pair
      if (!result.ok || result.verdict.kind !== 'cannot-tell') return pair
      undecided++
      const decide = whatWouldDecide([a.row, b.row], {
        seen: result.difference,
        alpha: compared.pairAlpha,
        pool,
        isRough: undecided > MAX_SIMULATED_PAIRS,
      })
      return { ...pair, decide }
    }),
  )
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
  const result = normaliseComparison(compared, a.row.rowId, b.row.rowId)
  const common = idsWhere(true, true).length
  return {
    a: a.row.rowId,
    b: b.row.rowId,
    sentence: formatPair(a.name, b.name, { result }),
    details: formatPairDetails({ result, common }),
    decide: null,
    result,
    common,
    leftOut: {
      onlyA: idsWhere(true, false),
      onlyB: idsWhere(false, true),
      neither: idsWhere(false, false),
    },
    flipped: listFlips(tasks, a.cells, b.cells),
    isClaim: decideComparisonEligibility([a, b]).kind === 'claim',
  }
}

function listNotes(rows: readonly NamedRow[]): string[] {
  const uneven = rows.filter(({ row }) => row.repetitions.least !== row.repetitions.most)
  const notes: string[] = []
  if (uneven.length > 0) {
    const who = listNames(
      uneven.map(({ name }) => name),
      rows.length,
    )
    notes.push(`Unequal repetitions in ${who}; every task has the same weight.`)
  }
  for (const { name, row } of rows) {
    const { voidAttempts: count = row.success.voids } = row
    if (count > 0)
      notes.push(
        `${countOf(count, 'attempt')} of ${name} excluded from scoring; verdicts and intervals allow for any outcome of them.`,
      )
  }
  for (const { name, row } of rows) {
    if (row.looks)
      notes.push(
        `${name} has interim analyses: ${row.looks.reason} Its tests and intervals are always-valid.`,
      )
  }
  for (const { name, row } of rows) {
    if (row.stop?.side === 'a') notes.push(`${name}: ${describeStop(row.stop)}.`)
  }
  return notes
}

/** Tasks that one row solves in most attempts and the other does not; largest difference first. */
function listFlips(
  tasks: readonly { taskId: string; title: string }[],
  a: ReadonlyMap<string, TaskCell>,
  b: ReadonlyMap<string, TaskCell>,
): FlippedTask[] {
  const flips = tasks.flatMap(({ taskId, title }) => {
    const [left, right] = [a.get(taskId), b.get(taskId)]
    if (!left || !right || left.rate === null || right.rate === null) return []
    if (left.rate > 0.5 === right.rate > 0.5) return []
    const difference = left.rate - right.rate
    const solvedBy = difference > 0 ? ('a' as const) : ('b' as const)
    return [{ taskId, title, solvedBy, a: left, b: right, difference }]
  })
  return flips.sort(
    (x, y) => Math.abs(y.difference) - Math.abs(x.difference) || (x.taskId < y.taskId ? -1 : 1),
  )
}

/** A row's tasks by id, each with its rate. */
function taskCells(row: Pick<BoardRow, 'tasks'>): Map<string, TaskCell> {
  return new Map(
    row.tasks.map(({ taskId, solved, scored, voids }) => [
      taskId,
      { solved, scored, voids, rate: scored > 0 ? solved / scored : null },
    ]),
  )
}
