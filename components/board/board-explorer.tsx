'use client'

import { useQueryStates } from 'nuqs'
import { type ReactNode, useMemo, useState } from 'react'
import { COLUMN_IDS, type ColumnId } from '#lib/domain/board/index.ts'
import type { AgainstBaseline } from '#lib/domain/compare/index.ts'
import { countOf } from '#lib/domain/record/index.ts'
import { PickBar } from '../compare/compare-controls.tsx'
import { AskServer, useAskServer } from '../ui/ask-server.tsx'
import { Button } from '../ui/button.tsx'
import { downloadText } from '../ui/download.ts'
import { handFocusTo } from '../ui/hand-focus.ts'
import { BaselineChoice, BaselineNote } from './baseline.tsx'
import { countTested } from './baseline-text.ts'
import { BoardToolbar } from './board-toolbar.tsx'
import {
  type BoardView,
  boardViewParsers,
  countFolded,
  filterRows,
  firstRows,
  splitRows,
  type TableRow,
} from './board-view.ts'
import { tableToCsv, tableToMarkdown } from './export-table.ts'
import { LeaderboardTable } from './leaderboard-table.tsx'
import { sortRows } from './sort-rows.ts'

type BoardExplorerProps = {
  suiteId: string
  title: string
  /** The rows (`TableRow[]`) as one text. */
  rowsJson: string
  /** What most rows have in common. */
  common: readonly string[]
  /** Of the rows that the URL opens. */
  details: Readonly<Record<string, ReactNode>>
  against: AgainstBaseline | null
  /** Drawn on the server, of the rows that search and filters leave. */
  charts: ReactNode
}

/** These make room for the column of a baseline. */
const ROOM_FOR_BASELINE: readonly ColumnId[] = ['version', 'date']

/** A longer board starts with this many rows. */
const FIRST_ROWS = 50

/** Table and charts of one suite; the URL contains search, filters and order. */
export function BoardExplorer(props: BoardExplorerProps) {
  return (
    <AskServer>
      <Explorer {...props} />
    </AskServer>
  )
}

function Explorer(props: BoardExplorerProps) {
  const { suiteId, title, rowsJson, common, details, against, charts } = props
  const rows = useMemo((): TableRow[] => JSON.parse(rowsJson), [rowsJson])
  const [view, setView] = useQueryStates(boardViewParsers, { history: 'push', scroll: false })
  const { refresh } = useAskServer()
  const [most, setMost] = useState(FIRST_ROWS)
  const shown = useMemo(() => filterRows(rows, view), [rows, view])
  const bands = useMemo(() => splitRows(sortRows(shown, view.sort), rows), [shown, view.sort, rows])
  const folded = useMemo(() => countFolded(rows, view), [rows, view])
  const isNarrowed = shown.length + folded < rows.length
  const visible = COLUMN_IDS.filter((id) => !view.hide.some((hidden) => hidden === id))
  const columns = against ? visible.filter((id) => !ROOM_FOR_BASELINE.includes(id)) : visible

  const change = async (next: Partial<BoardView>) => {
    await setView(next, 'q' in next ? { history: 'replace', limitUrlUpdates: TYPING } : {})
    if (DRAWN.some((name) => name in next)) refresh()
  }
  const exportRows = (format: 'csv' | 'markdown') => {
    const table = { bands, hidden: view.hide, against }
    if (format === 'csv') downloadText(`${suiteId}.csv`, 'text/csv', tableToCsv(table))
    else downloadText(`${suiteId}.md`, 'text/markdown', tableToMarkdown(table))
  }

  return (
    <>
      <BoardToolbar
        baseline={
          <BaselineChoice base={view.base} onChange={(base) => void change({ base })} rows={rows} />
        }
        rows={rows}
        onChange={(next) => void change(next)}
        onExport={exportRows}
        view={view}
      />
      <noscript>
        <p className="text-muted">
          To search, filter, sort, compare or export this table, turn on JavaScript. Charts, details
          and{' '}
          <a className="link" href="/compare">
            Compare
          </a>{' '}
          work without it.
        </p>
      </noscript>
      {/* Search and filters act at once: a screen reader is told what they left. */}
      <p className="sr-only" role="status">
        {isNarrowed ? `${countOf(shown.length, 'entry')} in view` : ''}
      </p>
      {shown.length === 0 && folded === 0 ? (
        <NoMatch onChange={(next) => void change(next)} />
      ) : null}
      {shown.length > 0 ? (
        <div className="mt-3">
          <LeaderboardTable
            against={against}
            bands={firstRows(bands, most, view.open)}
            caption={`${title}: entries`}
            columns={columns}
            details={details}
            onSort={(sort) => void change({ sort })}
            onToggle={(id) => {
              const open = toggled(view.open, id)
              void setView({ open }, { history: 'replace' }).then(refresh)
            }}
            open={view.open}
            sort={view.sort}
          />
        </div>
      ) : null}
      {against === null || view.base === null ? null : (
        <BaselineNote base={view.base} count={countTested(against)} />
      )}
      {common.length > 0 ? (
        <p className="mt-2 text-muted text-xs">
          Unless a row says otherwise: {common.join(' · ')}.
        </p>
      ) : null}
      {shown.length > most ? (
        <MoreRows most={most} onAll={() => setMost(shown.length)} total={shown.length} />
      ) : null}
      {folded > 0 ? <FoldedControls count={folded} onChange={(next) => void change(next)} /> : null}
      {charts}
      <PickBar />
    </>
  )
}

/** What the server has a part in: the charts of the rows that are left, and what they are compared with. */
const DRAWN = ['q', 'label', 'kind', 'arm', 'base'] as const
const TYPING = { method: 'debounce', timeMs: 250 } as const

function toggled(open: readonly string[], id: string): string[] {
  return open.includes(id) ? open.filter((other) => other !== id) : [...open, id]
}

type ChangeProps = { onChange: (next: Partial<BoardView>) => void }

// Buttons that go by their own press: each hands the focus on.

function NoMatch({ onChange }: ChangeProps) {
  const clear = () => {
    handFocusTo('input[data-search]')
    onChange({ q: '', label: [], kind: null, arm: null })
  }
  return (
    <p className="mt-4 flex flex-wrap items-center gap-3 text-base">
      No entry matches the search and filters.
      <Button onClick={clear}>Clear filters</Button>
    </p>
  )
}

function MoreRows({ most, total, onAll }: { most: number; total: number; onAll: () => void }) {
  const show = () => {
    handFocusTo('tr[data-row] a')
    onAll()
  }
  return (
    <p className="mt-3 flex items-center gap-3">
      Rows 1–{most} of {total}.
      <Button className="scripted on-screen" onClick={show}>
        Show all
      </Button>
    </p>
  )
}

function FoldedControls({ count, onChange }: ChangeProps & { count: number }) {
  const show = () => {
    handFocusTo('select[data-kind]')
    onChange({ kind: 'control' })
  }
  return (
    <p className="mt-3 flex items-center gap-3">
      {countOf(count, 'control')} not listed.
      <Button className="scripted on-screen" onClick={show}>
        Show controls
      </Button>
    </p>
  )
}
