import {
  type BoardRow,
  type EntryStyle,
  entryStyles,
  formatConditions,
  type RankPool,
  rowPath,
} from '#lib/domain/board/index.ts'
import { modelLabel } from '#lib/domain/record/index.ts'
import { countOf, type TableCell } from '#lib/domain/text/index.ts'
import { type BoardBand, orderedBands } from '../board/board-view.ts'
import { visibleText } from '../ui/format.ts'
import type { Chart, ChartPoint, Series } from './chart.ts'

/** A chart with its title and notes, from which pages, files and tables are made. */
export type Figure = {
  title: string
  /** Quantities and units of the axes. */
  unit: string
  /** Number of entries, tasks and episodes. */
  sample: string
  method: string
  /** Says what is left out, and why. */
  notes: readonly string[]
  /** Null = a table only. */
  chart: Chart | null
  /** The values of the chart, exact, as its files have them; the first row contains the column names. */
  table: readonly (readonly TableCell[])[]
  /** Columns of the table, by index, that pages show as a percentage or a time. */
  columns?: Readonly<Record<number, FigureColumn>>
}

/** Kind of values in a column: shares of 0–1, or ISO times. */
export type FigureColumn = 'share' | 'instant'

/** An entry in a chart. */
export type ChartEntry = {
  id: string
  name: string
  /** Null = unranked, drawn hollow. */
  pool: RankPool | null
  style: EntryStyle
  row: BoardRow
  /** True = its curve is hidden until it is selected. */
  isHidden?: boolean
}

/**
 * Makes chart entries from board rows, in order. `poolOf` groups them as on the board; `styles` cover the whole board.
 */
export function toChartEntries(
  rows: readonly BoardRow[],
  poolOf: (row: BoardRow) => RankPool | null,
  styles: ReadonlyMap<string, EntryStyle> = entryStyles(rows),
): ChartEntry[] {
  return rows.map((row) => ({
    id: row.rowId,
    name: nameOf(row),
    pool: poolOf(row),
    style: styles.get(row.rowId) ?? NO_STYLE,
    row,
  }))
}

const NO_STYLE: EntryStyle = { colour: 0, pattern: 0 }

function nameOf(row: BoardRow): string {
  const { subject } = row
  const parts = [subject.name, formatConditions(row), modelLabel(subject) ?? subject.version]
  return visibleText(parts.filter(Boolean).join(' · '))
}

export type Band = { band: BoardBand; entries: ChartEntry[] }

/** Groups entries by band, in the order of the board. Only entries of one band may be in one order. */
export function splitEntries(entries: readonly ChartEntry[]): Band[] {
  return orderedBands(entries)
    .map((band) => ({
      band,
      entries: entries.filter(({ pool }) => pool === band.pool),
    }))
    .filter((part) => part.entries.length > 0)
}

/** Formats `4 entries, 20 tasks, 240 scored episodes`. */
export function describeSample(entries: readonly ChartEntry[]): string {
  const tasks = Math.max(0, ...entries.map(({ row }) => row.success.tasks))
  const episodes = entries.reduce((sum, { row }) => sum + row.success.attempts, 0)
  return [
    countOf(entries.length, 'entry'),
    countOf(tasks, 'task'),
    countOf(episodes, 'scored episode'),
  ].join(', ')
}

/** Says which entries are shown, if not all. */
export function limitNote(shown: number, all: number): string[] {
  return shown < all
    ? [`Showing the first ${shown} of ${countOf(all, 'entry')}. Filter to see others.`]
    : []
}

/** Formats the sample size of one entry: `60 episodes, 20 tasks`. */
export function describeSize({ success }: Pick<BoardRow, 'success'>): string {
  return `n: ${countOf(success.attempts, 'episode')}, ${countOf(success.tasks, 'task')}`
}

/** An entry as the legend lists it. */
export function toSeries({ id, name, style, isHidden = false }: ChartEntry): Series {
  return { id, name, style, ...(isHidden ? { isHidden } : {}) }
}

/** Links a point to the row of its entry. */
export function linkTo({ id, row }: ChartEntry): Pick<ChartPoint, 'rowId' | 'href'> {
  return { rowId: id, href: rowPath(row.suiteId, id) }
}
