'use client'

import { useQueryStates } from 'nuqs'
import { type ReactNode, useMemo } from 'react'
import { ChartPanel } from '#components/charts/chart-panel.tsx'
import { PickBar } from '#components/compare/pick-bar.tsx'
import { Button } from '#components/ui/button.tsx'
import { Section } from '#components/ui/section.tsx'
import { splitRows } from './board-sections.ts'
import { BoardToolbar } from './board-toolbar.tsx'
import { type BoardView, boardViewParsers, type ColumnId, filterRows } from './board-view.ts'
import { downloadText } from './download.ts'
import { rowsToCsv, rowsToMarkdown } from './export-rows.ts'
import { LeaderboardTable } from './leaderboard-table.tsx'
import type { TableRow } from './table-row.ts'
import { useBoardTable } from './use-board-table.ts'

type BoardExplorerProps = { suiteId: string; rows: TableRow[]; matrix: ReactNode }

/** Tables and charts of one suite; the URL holds search, filters and order. */
export function BoardExplorer({ suiteId, rows, matrix }: BoardExplorerProps) {
  const [view, setView] = useQueryStates(boardViewParsers, { history: 'push' })
  const shown = useMemo(() => filterRows(rows, view), [rows, view])
  const table = useBoardTable(shown, view)
  const ordered = table.getRowModel().rows.map((row) => row.original)
  const columns = table.getVisibleLeafColumns().map((column) => column.id as ColumnId)
  const sections = splitRows(ordered)
  const hasClaims = shown.some((row) => row.pool !== null)

  const change = (next: Partial<BoardView>) =>
    void setView(next, 'q' in next ? { history: 'replace', limitUrlUpdates: TYPING } : {})
  const exportRows = (format: 'csv' | 'markdown') => {
    if (format === 'csv') downloadText(`${suiteId}.csv`, 'text/csv', rowsToCsv(ordered, view.hide))
    else downloadText(`${suiteId}.md`, 'text/markdown', rowsToMarkdown(ordered, view.hide))
  }

  return (
    <>
      <BoardToolbar
        counts={countLabels(rows)}
        onChange={change}
        onExport={exportRows}
        view={view}
      />
      {hasClaims ? null : (
        <Section id="claims" title="Ranked">
          <NoClaims any={rows.some((row) => row.pool !== null)} />
        </Section>
      )}
      {sections.map(({ section, rows: members }) => (
        <Section aside={section.aside} id={section.id} key={section.id} title={section.title}>
          <LeaderboardTable
            caption={section.title}
            columns={columns}
            onSort={(sort) => change({ sort })}
            onToggle={(id) => change({ open: toggled(view.open, id) })}
            open={view.open}
            rows={members}
            sort={view.sort}
          />
        </Section>
      ))}
      {shown.length === 0 ? (
        <p className="mt-4 flex flex-wrap items-center gap-3 text-base">
          No entry matches the search and filters.
          <Button onClick={() => change({ q: '', label: [], kind: null })}>Clear filters</Button>
        </p>
      ) : null}
      <ChartPanel chart={view.chart} matrix={matrix} rows={shown} suiteId={suiteId} />
      <PickBar />
    </>
  )
}

const TYPING = { method: 'debounce', timeMs: 250 } as const

function NoClaims({ any }: { any: boolean }) {
  return (
    <p className="border-line border-t py-2 text-base text-muted">
      {any
        ? 'No ranked entry matches the filters.'
        : 'No entry qualifies for ranking yet. Open an entry to see what is missing.'}
    </p>
  )
}

function toggled(open: readonly string[], id: string): string[] {
  return open.includes(id) ? open.filter((other) => other !== id) : [...open, id]
}

function countLabels(rows: readonly TableRow[]): Partial<Record<string, number>> {
  const counts: Partial<Record<string, number>> = {}
  for (const { label } of rows) counts[label] = (counts[label] ?? 0) + 1
  return counts
}
