import {
  type BoardRow,
  type EntryStyle,
  entryStyles,
  formatConditions,
  type RankPool,
  rowPath,
} from '#lib/domain/board/index.ts'
import { countOf, modelLabel, type TableCell } from '#lib/domain/record/index.ts'
import { type BoardBand, orderedBands } from '../board/board-view.ts'
import { visibleText } from '../ui/format.ts'
import type { Chart, ChartPoint, Series } from './chart.ts'

/** A chart with its title and notes: a page, a file and a table of its data are made from the same value. */
export type Figure = {
  title: string
  /** What the axes measure, in which unit. */
  unit: string
  /** How many entries, tasks and episodes are in it. */
  sample: string
  method: string
  /** What is left out, and why. */
  notes: readonly string[]
  /** Null = drawn as a table alone. */
  chart: Chart | null
  /** The values of the drawing: the first row names the columns. */
  table: readonly (readonly TableCell[])[]
}

/** An entry as charts know it. */
export type ChartEntry = {
  id: string
  name: string
  /** Null = not ranked: drawn hollow. */
  pool: RankPool | null
  style: EntryStyle
  row: BoardRow
  /** Its curve is drawn when the reader asks for it. */
  isHidden?: boolean
}

/** Chart entries of board rows, in their order; `poolOf` is the board's own grouping, `styles` are those of the whole board. */
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

/** Entries by band, in the order of the board: only those of one band are ever put into one order. */
export function splitEntries(entries: readonly ChartEntry[]): Band[] {
  return orderedBands(entries)
    .map((band) => ({
      band,
      entries: entries.filter(({ pool }) => pool === band.pool),
    }))
    .filter((part) => part.entries.length > 0)
}

/** `4 entries, 20 tasks, 240 scored episodes`. */
export function describeSample(entries: readonly ChartEntry[]): string {
  const tasks = Math.max(0, ...entries.map(({ row }) => row.success.tasks))
  const episodes = entries.reduce((sum, { row }) => sum + row.success.attempts, 0)
  return [
    countOf(entries.length, 'entry'),
    countOf(tasks, 'task'),
    countOf(episodes, 'scored episode'),
  ].join(', ')
}

/** Which entries are shown, if not all. */
export function limitNote(shown: number, all: number): string[] {
  return shown < all
    ? [`Showing the first ${shown} of ${countOf(all, 'entry')}. Filter to see others.`]
    : []
}

/** `60 episodes, 20 tasks`: what a number of one entry is based on. */
export function describeSize({ success }: Pick<BoardRow, 'success'>): string {
  return `n: ${countOf(success.attempts, 'episode')}, ${countOf(success.tasks, 'task')}`
}

/** An entry as the legend lists it. */
export function toSeries({ id, name, style, isHidden = false }: ChartEntry): Series {
  return { id, name, style, ...(isHidden ? { isHidden } : {}) }
}

/** Leads from a point to the row of its entry. */
export function linkTo({ id, row }: ChartEntry): Pick<ChartPoint, 'rowId' | 'href'> {
  return { rowId: id, href: rowPath(row.suiteId, id) }
}
