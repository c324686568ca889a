import type { AgainstBaseline } from '#lib/domain/compare/index.ts'
import { type TableCell, toCsv, toMarkdown } from '#lib/domain/record/index.ts'
import { againstCells, BASELINE_FIELDS } from './baseline-text.ts'
import { EXPORTED_FIELDS } from './board-columns.tsx'
import type { BandRows } from './board-view.ts'

/** The visible table: rows by band, in the order of the bands; `against` null = no baseline. */
type ShownTable = {
  bands: readonly BandRows[]
  hidden: readonly string[]
  against: AgainstBaseline | null
}

/** The table as CSV. */
export function tableToCsv(table: ShownTable): string {
  return toCsv(cellsOf(table))
}

/** The same columns as a Markdown table, for reading. */
export function tableToMarkdown(table: ShownTable): string {
  return toMarkdown(cellsOf(table))
}

/** Exact values with units in the header; hidden columns are omitted. */
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
