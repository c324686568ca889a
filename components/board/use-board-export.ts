import { useState } from 'react'
import type { Board, BoardRow } from '#lib/domain/board/index.ts'
import { downloadText } from '../ui/download.ts'
import { isComplete, type ShownTable, tableToCsv, tableToMarkdown } from './export-table.ts'

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
  const answer = await fetch(`/api/v1/leaderboard?${query}`).catch(() => null)
  if (!answer?.ok) return []
  const { rows }: Pick<Board, 'rows'> = await answer.json()
  return rows
}
