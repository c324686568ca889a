import { useState } from 'react'
import type { Board, BoardRow } from '#lib/domain/board/index.ts'
import type { AgainstBaseline } from '#lib/domain/compare/index.ts'
import { type TableCell, toCsv, toMarkdown } from '#lib/domain/text/index.ts'
import { downloadText } from '../ui/download.ts'
import { againstCells, BASELINE_FIELDS } from './baseline-text.ts'
import { EXPORTED_FIELDS } from './board-columns.tsx'
import type { BandRows } from './board-view.ts'

type Exported = Omit<ShownTable, 'source'> & {
  suiteId: string
  version: string | null
  /** Null = it is fetched. */
  source: readonly BoardRow[] | null
}

/** Returns a function that downloads the visible table, and whether its last call failed. */
export function useBoardExport(table: Exported) {
  const [isFailed, setFailed] = useState(false)
  const exportRows = async (format: 'csv' | 'markdown') => {
    const { suiteId, version } = table
    const shown = { ...table, source: table.source ?? (await fetchBoardRows(suiteId, version)) }
    setFailed(!isComplete(shown))
    if (!isComplete(shown)) return
    if (format === 'csv') downloadText(`${suiteId}.csv`, 'text/csv', tableToCsv(shown))
    else downloadText(`${suiteId}.md`, 'text/markdown', tableToMarkdown(shown))
  }
  return { isFailed, exportRows }
}

/** Fetches the complete rows of a board. Returns an empty list if the request fails. */
async function fetchBoardRows(suite: string, version: string | null): Promise<readonly BoardRow[]> {
  const query = new URLSearchParams({ suite, ...(version !== null && { version }) })
  const response = await fetch(`/api/v1/leaderboard?${query}`).catch(() => null)
  if (!response?.ok) return []
  const { rows }: Pick<Board, 'rows'> = await response.json()
  return rows
}

/** The table as shown: rows of one band together, in the order of the bands; `against` null = no baseline is chosen. */
type ShownTable = {
  bands: readonly BandRows[]
  /** Ids of the visible columns, in their order. */
  columns: readonly string[]
  against: AgainstBaseline | null
  /** The whole rows of the board. */
  source: readonly BoardRow[]
}

/** Returns whether the source has all rows that the table shows. */
export function isComplete({ bands, source }: Pick<ShownTable, 'bands' | 'source'>): boolean {
  const ids = new Set(source.map(({ rowId }) => rowId))
  return bands.every(({ rows }) => rows.every(({ id }) => ids.has(id)))
}

/** The table as CSV. */
export function tableToCsv(table: ShownTable): string {
  return toCsv(cellsOf(table))
}

/** The same columns as a Markdown table, for reading. */
export function tableToMarkdown(table: ShownTable): string {
  return toMarkdown(cellsOf(table))
}

/** Exact values with their units in the header, of the columns of the table in their order. */
function cellsOf({ bands, columns, against, source }: ShownTable): TableCell[][] {
  const byId = new Map(source.map((row) => [row.rowId, row]))
  const rows = bands.flatMap((band) => band.rows).flatMap(({ id }) => byId.get(id) ?? [])
  const fields = columns.flatMap((id) => EXPORTED_FIELDS.filter(({ column }) => column === id))
  const shown = fields.filter(({ rare, value }) => !rare || rows.some((row) => value(row) != null))
  const head = [...shown.map(({ name }) => name), ...(against ? BASELINE_FIELDS : [])]
  const lines = rows.map((row) => [
    ...shown.map(({ value }) => value(row)),
    ...(against ? againstCells(against[row.rowId]) : []),
  ])
  return [head, ...lines]
}
