'use client'

import { useQueryStates } from 'nuqs'
import { type ReactNode, useCallback, useDeferredValue, useMemo, useRef, useState } from 'react'
import type { BoardRow } from '#lib/domain/board/index.ts'
import type { AgainstBaseline } from '#lib/domain/compare/index.ts'
import { countOf } from '#lib/domain/text/index.ts'
import { PickBar, PickBoxes } from '../compare/compare-controls.tsx'
import { useSortHead } from '../table/sort-head.tsx'
import { MoreRows, NoRows, RowCount } from '../table/table-tools.tsx'
import { historyOf } from '../table/table-view.ts'
import { type LiveTable, useLiveTable } from '../table/use-live-table.ts'
import { useSameList } from '../table/use-same-list.ts'
import { useVisibleRows } from '../table/visible-rows.tsx'
import { AskServer, useAskServer } from '../ui/ask-server.tsx'
import { Button } from '../ui/button.tsx'
import { classNames } from '../ui/class-names.ts'
import { ArrowKeys } from '../ui/controls.tsx'
import { keyOfColumn } from '../ui/data-column.ts'
import { handFocusTo } from '../ui/hand-focus.ts'
import { DataTable } from '../ui/table.tsx'
import { BaselineNote } from './baseline.tsx'
import { countTested } from './baseline-text.ts'
import { BoardToolbar, PlainFilters } from './board-toolbar.tsx'
import {
  type BandRows,
  type BoardView,
  boardViewParsers,
  countFolded,
  filterRows,
  firstRows,
  splitRows,
} from './board-view.ts'
import { BandHead, ColumnWidths, leaderboardColumns } from './leaderboard-table.tsx'
import { unpackRows } from './pack-rows.ts'
import type { TableRow } from './table-row.ts'
import { useBoardExport } from './use-board-export.ts'

type BoardExplorerProps = {
  suiteId: string
  title: string
  /** The rows (`TableRow[]`), written by `packRows`. */
  packedRows: string
  /** The whole rows; absent = they are fetched when a file is asked for. */
  source?: readonly BoardRow[]
  /** Facts that most rows share. */
  common: readonly string[]
  /** Details of the rows that the URL opens. */
  details: Readonly<Record<string, ReactNode>>
  against: AgainstBaseline | null
  /** Charts of the visible rows, rendered on the server. */
  charts: ReactNode
}

/** Longer boards initially show only their first rows. */
const MAX_WHOLE_BOARD = 50
const FIRST_ROWS = 30

/** Table and charts of one suite; the URL contains search, filters and order. */
export function BoardExplorer(props: BoardExplorerProps) {
  return (
    <AskServer>
      <PickBoxes>
        <Explorer {...props} />
      </PickBoxes>
    </AskServer>
  )
}

function Explorer(props: BoardExplorerProps) {
  const { suiteId, title, packedRows, source, common, details, against, charts } = props
  // The rows that are equal in all keys of the order: the best first.
  const rows = useMemo(() => bestFirst(unpackRows<TableRow>(packedRows)), [packedRows])
  const [view, setView] = useQueryStates(boardViewParsers, { history: 'push', scroll: false })
  const { refresh } = useAskServer()
  const [isWhole, setWhole] = useState(false)
  const sort = view.sort.length > 0 ? view.sort : RANKED
  const shown = useSameList(filterRows(rows, { ...view, f: [] }))
  const folded = useMemo(() => countFolded(rows, view), [rows, view])
  const change = async (next: Partial<BoardView>) => {
    await setView(next, historyOf(next))
    if (DRAWN.some((name) => name in next)) refresh()
  }
  const onToggle = useCallback(
    (id: string) =>
      void setView(({ open }) => ({ open: toggled(open, id) }), { history: 'replace' }).then(
        refresh,
      ),
    [setView, refresh],
  )
  const columns = useMemo(
    () => leaderboardColumns({ rows: shown, onToggle, against }),
    [shown, against, onToggle],
  )
  const table = useLiveTable({
    name: 'board',
    columns,
    rows: shown,
    keyOf: keyOfRow,
    view: { ...view, sort, q: '' },
  })
  // The click is painted first, and the rows after it.
  const listed = useDeferredValue(table.rows)
  const bands = splitRows(listed, rows)
  const { isFailed, exportRows } = useBoardExport({
    suiteId,
    bands,
    against,
    version: view.version,
    columns: table.columns.map(keyOfColumn),
    source: source ?? null,
  })
  const left = listed.length
  const max = useDeferredValue(isWhole) || left <= MAX_WHOLE_BOARD ? left : FIRST_ROWS
  return (
    <>
      <BoardToolbar
        onChange={(next) => void change(next)}
        onExport={(format) => void exportRows(format)}
        rows={rows}
        table={table}
        view={view}
      />
      <ExportProblem isFailed={isFailed} />
      <PlainFilters rows={rows} view={view} />
      {/* Announces the number of rows to screen readers, because search and filters act at once. */}
      <RowCount shown={left} total={rows.length - folded} what="entry" />
      {left === 0 && folded === 0 ? <NoRows onClear={() => void change(CLEARED)} /> : null}
      {left > 0 ? (
        <BoardRows
          bands={firstRows(bands, max, view.open)}
          caption={`${title}: entries`}
          detailOf={({ id }) =>
            view.open.includes(id)
              ? (details[id] ?? <p className="text-muted">Loading details…</p>)
              : null
          }
          onSort={(sort) => void change({ sort })}
          sort={sort}
          table={table}
        />
      ) : null}
      <TableNotes against={against} base={view.base} common={common} />
      {left > max ? <MoreRows max={max} onAll={() => setWhole(true)} total={left} /> : null}
      {folded > 0 ? <FoldedControls count={folded} onChange={(next) => void change(next)} /> : null}
      {charts}
      <PickBar />
    </>
  )
}

function ExportProblem({ isFailed }: { isFailed: boolean }) {
  return (
    <p className="text-bad" role="status">
      {isFailed
        ? 'No file was made: the server does not respond, or this board has changed. Reload the page and try again.'
        : null}
    </p>
  )
}

type TableNotesProps = Pick<BoardExplorerProps, 'against' | 'common'> & { base: string | null }

function TableNotes({ against, base, common }: TableNotesProps) {
  return (
    <>
      {against === null || base === null ? null : (
        <BaselineNote base={base} count={countTested(against)} />
      )}
      {common.length > 0 ? (
        <p className="mt-2 text-muted text-xs">
          Unless a row says otherwise: {common.join(' · ')}.
        </p>
      ) : null}
    </>
  )
}

type BoardRowsProps = {
  bands: readonly BandRows[]
  caption: string
  table: LiveTable<TableRow>
  sort: BoardView['sort']
  onSort: (sort: BoardView['sort']) => void
  detailOf: (row: TableRow) => ReactNode | null
}

/** The board: lines on a wide screen, cards on a narrow one, with facts in the same order. */
function BoardRows({ bands, caption, table, sort, onSort, detailOf }: BoardRowsProps) {
  const frame = useRef<HTMLDivElement>(null)
  const count = bands.reduce((sum, { rows }) => sum + rows.length, 0)
  const { start, end, spaces, observer } = useVisibleRows(count, frame)
  const sortHead = useSortHead({ table, view: { sort }, onSort, prefix: undefined })
  // Names get what the other columns leave, which is nothing beside more columns than usual.
  const isCrowded = table.columns.some(({ id, extra }) => extra || id === 'baseline')
  let before = 0
  const groups = bands.flatMap((part) => {
    const rows = part.rows.slice(Math.max(0, start - before), Math.max(0, end - before))
    before += part.rows.length
    if (rows.length === 0) return []
    return [{ id: part.band.id, label: part.band.title, head: <BandHead {...part} />, rows }]
  })
  return (
    <ArrowKeys>
      <div
        className={classNames(
          'mt-3',
          (isCrowded || table.widths) && 'lg:overflow-x-auto',
          spaces && '[overflow-anchor:none]',
        )}
        id="entries"
        ref={frame}
        tabIndex={-1}
      >
        {observer}
        <DataTable
          caption={caption}
          cards="lg"
          cellClass="lg:h-10 lg:px-2.5 lg:py-1"
          className={classNames(
            'w-full border-line border-y bg-surface lg:table-fixed lg:border-x',
            isCrowded && 'lg:[&_th.w-auto]:w-44',
          )}
          colgroup={<ColumnWidths columns={table.columns} />}
          columns={table.columns}
          detailOf={detailOf}
          groups={groups}
          headClass="h-9 border-line-strong border-b bg-surface px-2.5 text-xs"
          keyOf={keyOfRow}
          rowProps={propsOfRow}
          rows={[]}
          sortHead={sortHead}
          spaces={spaces}
          stickyHead
          widths={table.widths}
        />
      </div>
    </ArrowKeys>
  )
}

function keyOfRow({ id }: TableRow): string {
  return id
}

function propsOfRow({ id, label }: TableRow) {
  return {
    className:
      'relative grid-cols-4 gap-x-2 gap-y-1 border-line border-t px-3 py-3 hover:bg-bg lg:h-10',
    'data-label': label,
    'data-row': id,
  }
}

function bestFirst(rows: readonly TableRow[]): TableRow[] {
  return [...rows].sort((a, b) => (b.success.rate ?? -1) - (a.success.rate ?? -1))
}

const RANKED = [{ id: 'rank', desc: false }]
const CLEARED = { q: '', label: [], kind: null, arm: null, f: [] }

/** View state that the server needs: for charts of the visible rows, and the baseline. */
const DRAWN = ['q', 'label', 'kind', 'arm', 'f', 'base'] as const

function toggled(open: readonly string[], id: string): string[] {
  return open.includes(id) ? open.filter((other) => other !== id) : [...open, id]
}

type ChangeProps = { onChange: (next: Partial<BoardView>) => void }

/** The button disappears when pressed, so it passes the focus on. */
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
