import type { AgainstBaseline } from '#lib/domain/compare/index.ts'
import { type TableCell, toCsv, toMarkdown } from '#lib/domain/record/index.ts'
import { againstCells, BASELINE_FIELDS } from './baseline-text.ts'
import { EXPORTED_FIELDS } from './board-columns.tsx'
import type { BandRows } from './board-view.ts'

/** The table as shown: rows of one band together, in the order of the bands; `against` null = no baseline is chosen. */
type ShownTable = {
  bands: readonly BandRows[]
  hidden: readonly string[]
  against: AgainstBaseline | null
}

/** The rows as a spreadsheet reads them. */
export function tableToCsv(table: ShownTable): string {
  return toCsv(cellsOf(table))
}

/** A Markdown table of the same columns, to be read. */
export function tableToMarkdown(table: ShownTable): string {
  return toMarkdown(cellsOf(table))
}

/** Exact values with their units in the header; the board's column choice decides which appear. */
function cellsOf({ bands, hidden, against }: ShownTable): TableCell[][] {
  const rows = bands.flatMap((band) => band.rows)
  const shown = EXPORTED_FIELDS.map((exported, at) => ({ ...exported, at })).filter(
    ({ column, rare, at }) =>
      !hidden.includes(column) && (!rare || rows.some(({ exported }) => exported[at] != null)),
  )
  const head = [...shown.map(({ name }) => name), ...(against ? BASELINE_FIELDS : [])]
  const lines = rows.map(({ id, exported }) => [
    ...shown.map(({ at }) => exported[at] ?? null),
    ...(against ? againstCells(against[id]) : []),
  ])
  return [head, ...lines]
}
