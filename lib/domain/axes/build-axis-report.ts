import type { Board, BoardRow } from '../board/board-row.ts'
import { AXES, type Axis, type AxisSlug } from './axes.ts'
import type { AxisMeasure, MeasuredColumn } from './axis-measure.ts'
import type { AxisReport, AxisRow } from './axis-report.ts'
import { buildFaultMatrix } from './fault-matrix.ts'
import type { LibraryFacts } from './library-facts.ts'
import { buildLibraryTable, countMeasured } from './library-table.ts'
import { completionMeasure } from './measures/completion.ts'
import { costMeasure } from './measures/cost.ts'
import { developerExperienceMeasure } from './measures/developer-experience.ts'
import { loggedInMeasure } from './measures/logged-in.ts'
import { recoveryMeasure } from './measures/recovery.ts'
import { speedMeasure } from './measures/speed.ts'
import { tokensMeasure } from './measures/tokens.ts'

const MEASURES: Record<AxisSlug, AxisMeasure> = {
  'task-completion': completionMeasure,
  'fault-recovery': recoveryMeasure,
  'logged-in': loggedInMeasure,
  'token-efficiency': tokensMeasure,
  speed: speedMeasure,
  'developer-experience': developerExperienceMeasure,
  'token-cost': costMeasure,
}

/** What is said of every figure while no row of the suite is a primary claim (seed). */
export const SUPPORTING_ONLY =
  'No row of this suite is a primary task-completion claim, so every figure in this report is a supporting diagnostic.'

/**
 * Reads one axis off a board, and off what is known of the libraries themselves. Pure: the same input gives the same
 * report; rows keep the board's order.
 */
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

/** How many rows have a figure of the axis's own that is more than raw. */
export function countFigures({ columns, claims, others }: AxisReport): number {
  const weighed = columns.filter(({ role, context }) => role !== 'diagnostic' && !context)
  const rows = [...claims, ...others]
  return rows.filter(({ values }) => weighed.some(({ id }) => values[id]?.value != null)).length
}

/** What is known of the libraries stands in for rows that an axis has none of. */
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

/** Columns without a single figure, each with the reason when all rows share it. */
function emptyColumns(columns: readonly MeasuredColumn[], rows: readonly AxisRow[]): string[] {
  return columns.flatMap(({ id, title }) => {
    const values = rows.flatMap(({ values }) => values[id] ?? [])
    if (values.some(({ value }) => value !== null)) return []
    const reasons = new Set(values.map(({ method }) => method))
    const [reason] = reasons
    return [`${title}: no row has a figure.${reasons.size === 1 && reason ? ` ${reason}` : ''}`]
  })
}
