'use client'

import { useQueryStates } from 'nuqs'
import { type ReactNode, useMemo } from 'react'
import { ChartPanel } from '#components/charts/chart-panel.tsx'
import { plural } from '#components/format/number.ts'
import { Button } from '#components/ui/button.tsx'
import { Section } from '#components/ui/section.tsx'
import { BoardToolbar } from './board-toolbar.tsx'
import { type BoardView, boardViewParsers, filterRows } from './board-view.ts'
import { downloadText } from './download.ts'
import { rowsToCsv, rowsToMarkdown } from './export-rows.ts'
import { LeaderboardTable } from './leaderboard-table.tsx'
import type { TableRow } from './table-row.ts'
import { type BoardTable, useBoardTable } from './use-board-table.ts'

type BoardExplorerProps = { suiteId: string; rows: TableRow[]; matrix: ReactNode }

/** Claims, diagnostics and charts of one suite under one view, which lives in the address bar. */
export function BoardExplorer({ suiteId, rows, matrix }: BoardExplorerProps) {
  const [view, setView] = useQueryStates(boardViewParsers, { history: 'push' })
  const shown = useMemo(() => filterRows(rows, view), [rows, view])
  const claims = useBoardTable(
    useMemo(() => shown.filter(isClaim), [shown]),
    view,
  )
  const others = useBoardTable(
    useMemo(() => shown.filter((row) => !isClaim(row)), [shown]),
    view,
  )
  const claimed = claims.getRowModel().rows.length

  const change = (next: Partial<BoardView>) =>
    void setView(next, 'q' in next ? { history: 'replace', limitUrlUpdates: TYPING } : {})
  const exportRows = (format: 'csv' | 'markdown') => {
    const tables = [claims, others]
    const ordered = tables.flatMap((part) => part.getRowModel().rows.map((row) => row.original))
    if (format === 'csv') downloadText(`${suiteId}.csv`, 'text/csv', rowsToCsv(ordered, view.hide))
    else downloadText(`${suiteId}.md`, 'text/markdown', rowsToMarkdown(ordered, view.hide))
  }
  const table = (caption: string, part: BoardTable) => (
    <LeaderboardTable
      caption={caption}
      onSort={(sort) => change({ sort })}
      onToggle={(id) => change({ open: toggled(view.open, id) })}
      open={view.open}
      sort={view.sort}
      table={part}
    />
  )

  return (
    <>
      <BoardToolbar
        counts={countLabels(rows)}
        onChange={change}
        onExport={exportRows}
        view={view}
      />
      <Section aside={claimed > 0 ? plural(claimed, 'row') : null} id="claims" title="Claims">
        {claimed > 0 ? table('Claims', claims) : <NoClaims rows={rows} />}
      </Section>
      {shown.length > claimed ? (
        <Section
          aside="Shown with the reasons why they are not claims"
          id="diagnostics"
          title="Diagnostics"
        >
          {table('Diagnostics', others)}
        </Section>
      ) : null}
      {shown.length === 0 ? (
        <p className="mt-4 flex flex-wrap items-center gap-3 text-base">
          No row matches this search and these filters.
          <Button onClick={() => change({ q: '', label: [], kind: null })}>Clear them</Button>
        </p>
      ) : null}
      <ChartPanel chart={view.chart} matrix={matrix} rows={shown} />
    </>
  )
}

const TYPING = { method: 'debounce', timeMs: 250 } as const

function NoClaims({ rows }: { rows: readonly TableRow[] }) {
  return (
    <p className="border-line border-t py-2 text-base text-muted">
      {rows.some(isClaim)
        ? 'No claim matches this view.'
        : 'None yet: no row passes every rule of evidence. Open a row’s evidence label to see what would make it one.'}
    </p>
  )
}

function isClaim(row: TableRow): boolean {
  return row.label === 'primary'
}

function toggled(open: readonly string[], id: string): string[] {
  return open.includes(id) ? open.filter((other) => other !== id) : [...open, id]
}

function countLabels(rows: readonly TableRow[]): Partial<Record<string, number>> {
  const counts: Partial<Record<string, number>> = {}
  for (const { label } of rows) counts[label] = (counts[label] ?? 0) + 1
  return counts
}
