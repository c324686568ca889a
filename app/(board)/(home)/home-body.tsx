import { BoardCharts } from '#components/board/board-charts.tsx'
import { BoardExplorer } from '#components/board/board-explorer.tsx'
import {
  EarlierVersions,
  EmptyBoard,
  GoneEntries,
  OnlyControls,
} from '#components/board/board-page.tsx'
import { type BoardView, countFolded, filterRows } from '#components/board/board-view.ts'
import { HomePanels } from '#components/board/home-panels.tsx'
import { NextSteps } from '#components/board/next-steps.tsx'
import { RowDetails } from '#components/board/row-details.tsx'
import type { HomeBody as Body } from './load-home.ts'

type HomeBodyProps = {
  body: Body
  view: BoardView
  /** True while rows are being selected for a comparison. */
  isPicking: boolean
}

/** The winner comes first, then the table, then the next steps, which are alone until there is an entry. */
export function HomeBody({ body, view, isPicking }: HomeBodyProps) {
  const { board, rows, common, packed } = body.table
  const { suiteId, title } = board.suite
  const next = body.next && <NextSteps {...body.next} />
  if (board.rows.length === 0) {
    return (
      <>
        <EarlierVersions suiteId={suiteId} versions={body.measured} />
        {next ?? <EmptyBoard suiteId={suiteId} />}
      </>
    )
  }
  if (countFolded(rows, view) === rows.length && !isPicking) {
    return (
      <>
        {next}
        <OnlyControls count={rows.length} suiteId={suiteId} />
      </>
    )
  }
  const inView = filterRows(rows, view)
  const shown = new Set(inView.map(({ id }) => id))
  const details = body.opened.map(({ row, detail }) => [
    row.rowId,
    <RowDetails detail={detail} key={row.rowId} row={row} />,
  ])
  return (
    <>
      <HomePanels board={board} rows={inView} />
      <GoneEntries ids={view.open.filter((id) => rows.every((row) => row.id !== id))} />
      <BoardExplorer
        against={body.against}
        charts={shown.size > 0 ? <BoardCharts board={board} shown={shown} view={view} /> : null}
        details={Object.fromEntries(details)}
        common={common}
        packedRows={packed}
        suiteId={suiteId}
        title={title}
      />
      {next}
    </>
  )
}
