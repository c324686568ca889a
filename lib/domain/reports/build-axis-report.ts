import type { Board, BoardRow, RowTask } from '../board/index.ts'
import { BROWSER_FAULTS, groupBy } from '../record/index.ts'
import { formatWay, INJECTOR_LABELS, REUSE_LABELS } from '../tasks/index.ts'
import type { TableCell } from '../text/index.ts'
import { type AxisMeasure, findBaseline, isStressRow, type MeasuredColumn } from './axis-measure.ts'
import type {
  AxisColumn,
  AxisReport,
  AxisRow,
  AxisUnit,
  FaultCell,
  FaultGroup,
  FaultRow,
  LibraryTableReport,
} from './axis-report.ts'
import { AXES, type Axis, type AxisSlug } from './axis-report.ts'
import {
  costMeasure,
  developerExperienceMeasure,
  speedMeasure,
  tokensMeasure,
} from './effort-measures.ts'
import type { LibraryFacts } from './library-facts.ts'
import { buildLibraryTable, countMeasured } from './library-table.ts'
import { completionMeasure, loggedInMeasure, recoveryMeasure } from './success-measures.ts'

const MEASURES: Record<AxisSlug, AxisMeasure> = {
  'task-completion': completionMeasure,
  'fault-recovery': recoveryMeasure,
  'logged-in': loggedInMeasure,
  'token-efficiency': tokensMeasure,
  speed: speedMeasure,
  'developer-experience': developerExperienceMeasure,
  'token-cost': costMeasure,
}

/** Note on every report while no row of the suite is ranked for task completion. */
export const SUPPORTING_ONLY =
  'No entry of this suite is ranked for task completion, so all figures in this report are supporting diagnostics.'

/** Builds the report of one axis from a board and from library measurements. Rows keep the board's order. */
export function buildAxisReport(
  axis: Axis,
  board: Board,
  facts: LibraryFacts | null = null,
): AxisReport {
  const { columns: all, covers, notes, absent } = MEASURES[axis.slug]
  const covered = board.rows.filter((row) => covers(row, board))
  const hasBrowser = covered.some(({ browser }) => browser !== undefined)
  const columns = all.filter(({ onlyFor }) => onlyFor !== 'browser' || hasBrowser)
  const faults = axis.slug === 'fault-recovery' ? buildFaultMatrix(board) : undefined
  const libraries = buildLibraryTable(axis.slug, board, facts)
  const rows = covered.map((row) => toAxisRow(row, board, columns))
  const { suiteId, title, digest } = board.suite
  return {
    schemaVersion: 1,
    axis,
    suite: { suiteId, title, digest },
    policyVersion: board.policyVersion,
    columns: columns.map(({ read: _, onlyFor: __, ...column }) => column),
    claims: rows.filter(isClaim),
    others: rows.filter((row) => !isClaim(row)),
    supportingOnly: board.rows.some(({ label }) => label === 'primary') ? null : SUPPORTING_ONLY,
    ...(faults ? { faults } : {}),
    ...(libraries ? { libraries } : {}),
    notes: rows.length > 0 ? notes(board) : [],
    absent: rows.length > 0 ? emptyColumns(columns, rows) : absentLines(absent(board), libraries),
  }
}

/** Every axis of a board, in the order of the index. */
export function buildAxisReports(board: Board, facts: LibraryFacts | null = null): AxisReport[] {
  return AXES.map((axis) => buildAxisReport(axis, board, facts))
}

/** Counts rows with a figure of the axis's own that is more than raw. */
export function countMeasuredRows({ columns, claims, others }: AxisReport): number {
  const weighed = columns.filter(({ role, context }) => role !== 'diagnostic' && !context)
  const rows = [...claims, ...others]
  return rows.filter(({ values }) => weighed.some(({ id }) => values[id]?.value != null)).length
}

/** Library measurements replace missing rows of an axis. */
function absentLines(reason: string, libraries: AxisReport['libraries']): string[] {
  return libraries && countMeasured(libraries) > 0 ? [] : [reason]
}

function toAxisRow(row: BoardRow, board: Board, columns: readonly MeasuredColumn[]): AxisRow {
  const { rowId, subject, label, driven, runIds, refusals } = row
  const { browser, fault } = row.settings
  const values = Object.fromEntries(columns.map(({ id, read }) => [id, read(row, board)]))
  return {
    rowId,
    subject,
    label,
    driven,
    runIds,
    refusals,
    ...(browser ? { browser } : {}),
    ...(fault ? { fault } : {}),
    values,
  }
}

function isClaim({ label }: AxisRow): boolean {
  return label === 'primary' || label === 'stress'
}

/** Columns without any figure, each with the reason if all rows share it. */
function emptyColumns(columns: readonly MeasuredColumn[], rows: readonly AxisRow[]): string[] {
  return columns.flatMap(({ id, title }) => {
    const values = rows.flatMap(({ values }) => values[id] ?? [])
    if (values.some(({ value }) => value !== null)) return []
    const reasons = new Set(values.map(({ method }) => method))
    const [reason] = reasons
    return [`${title}: no data.${reasons.size === 1 && reason ? ` ${reason}` : ''}`]
  })
}

/** Rows of a report whose figures may be compared. */
type ReportSection = { id: string; title: string; isClaim: boolean; rows: AxisRow[] }

/** Model-driven and scripted rows are never compared. */
const POOLS = [
  { id: 'claims', title: 'Ranked', take: (row: AxisRow) => row.driven === 'llm' },
  {
    id: 'claims-scripted',
    title: 'Ranked, scripted',
    take: (row: AxisRow) => row.driven !== 'llm',
  },
] as const

/** Rows whose numbers are not comparable are in separate sections. */
const APART: Partial<Record<AxisSlug, (row: AxisRow) => string | null>> = {
  // Sections of ranked rows are already split by driver; unranked rows can have either.
  'token-efficiency': (row) => (isClaim(row) ? (row.subject.targeting ?? null) : formatWay(row)),
  speed: ({ browser }) => (browser ? `${REUSE_LABELS[browser].word} browser` : null),
}

/**
 * Splits a report's rows into sections: ranked ones by pool, then unranked ones; split further if the axis needs it.
 */
export function reportSections({ axis, claims, others }: AxisReport): ReportSection[] {
  const apart = APART[axis.slug] ?? (() => null)
  const pools = POOLS.flatMap(({ id, title, take }) =>
    split({ id, title, isClaim: true, rows: claims.filter(take) }, apart),
  )
  return [
    ...pools,
    ...split({ id: 'others', title: 'Unranked', isClaim: false, rows: others }, apart),
  ]
}

function split(section: ReportSection, apart: (row: AxisRow) => string | null): ReportSection[] {
  const groups = groupBy(section.rows, (row) => apart(row) ?? '')
  return [...groups].map(([group, rows]) => ({
    ...section,
    id: group === '' ? section.id : `${section.id}-${group.replaceAll(/[^a-z]+/g, '-')}`,
    title: group === '' ? section.title : `${section.title} · ${group}`,
    rows,
  }))
}

/** Stress rows by task and fault, in the order of the fault kinds; undefined if there are none. */
function buildFaultMatrix(board: Board): FaultGroup[] | undefined {
  const stressed = board.rows.filter((row) => row.settings.fault !== undefined && isStressRow(row))
  const groups = groupBy(stressed, ({ settings }) => settings.fault ?? '')
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
    by: known ? INJECTOR_LABELS[known.by] : null,
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

const UNIT_NAMES: Record<AxisUnit, string> = {
  share: 'share',
  ms: 'ms',
  'micro-usd': 'micro_usd',
  tokens: 'tokens',
  steps: 'steps',
  'per-hour': 'per_hour',
  place: 'place',
  bytes: 'bytes',
  lines: 'lines',
  count: 'count',
}

/**
 * Formats a report as a table with a heading: exact values with bounds and denominators, claims first. An axis without
 * figures from rows is the table of its libraries.
 */
export function axisTable(report: AxisReport): TableCell[][] {
  const { columns, claims, others, libraries } = report
  if (columns.length === 0 && libraries) return libraryLines(libraries)
  const rows = [...claims, ...others].map((row) => [
    row.label,
    row.subject.name,
    row.subject.version,
    row.subject.modelRequested,
    row.rowId,
    ...valueCells(columns, row.values),
  ])
  return [['label', 'subject', 'version', 'model', 'row', ...headCells(columns)], ...rows]
}

function libraryLines({ columns, rows }: LibraryTableReport): TableCell[][] {
  const lines = rows.map(({ name, version, measuredAt, values }) => [
    name,
    version,
    measuredAt,
    ...valueCells(columns, values),
  ])
  return [['library', 'version', 'measured_at', ...headCells(columns)], ...lines]
}

function headCells(columns: readonly AxisColumn[]): string[] {
  return columns.flatMap(({ id, unit, role }) => {
    const bare = id.replaceAll('-', '_')
    const name = bare.endsWith(UNIT_NAMES[unit]) ? bare : `${bare}_${UNIT_NAMES[unit]}`
    return [`${name} (${role})`, `${name}_low`, `${name}_high`, `${name}_tasks`, `${name}_episodes`]
  })
}

function valueCells(columns: readonly AxisColumn[], values: AxisRow['values']): TableCell[] {
  return columns.flatMap(({ id }) => {
    const { value, low, high, tasks, episodes } = values[id] ?? NOTHING
    return [value, low, high, tasks, episodes]
  })
}

const NOTHING = { value: null, low: null, high: null, tasks: null, episodes: null }
