import type { Metadata } from 'next'
import { notFound } from 'next/navigation'
import type { SearchParams } from 'nuqs/server'
import type { ReactNode } from 'react'
import { BoardCharts } from '#components/board/board-charts.tsx'
import { BoardExplorer } from '#components/board/board-explorer.tsx'
import {
  EarlierVersions,
  EmptyBoard,
  OnlyControls,
  SuiteTabs,
} from '#components/board/board-page.tsx'
import {
  type BoardView,
  countFolded,
  filterRows,
  loadBoardView,
  rankedPools,
} from '#components/board/board-view.ts'
import { EvidenceLegend } from '#components/board/evidence.tsx'
import { HomeHero } from '#components/board/home-hero.tsx'
import { HomePanels } from '#components/board/home-panels.tsx'
import { NextSteps } from '#components/board/next-steps.tsx'
import { RowDetails } from '#components/board/row-details.tsx'
import type { TableRow } from '#components/board/table-row.ts'
import { toRowDetail } from '#components/board/to-table-rows.ts'
import { ActiveRuns } from '#components/run/active-runs.tsx'
import { isActive } from '#components/run/run-status.tsx'
import { visibleText } from '#components/ui/format.ts'
import { Notice, Section, ShortDigest } from '#components/ui/layout.tsx'
import type { SuiteSummary } from '#lib/domain/api/index.ts'
import {
  type Board,
  countControls,
  findChecked,
  formatBadgeRate,
  formatRank,
  formatTier,
  rankPoolOf,
  rowExposure,
  rowPath,
  rowPreviewPath,
} from '#lib/domain/board/index.ts'
import { subjectLabel } from '#lib/domain/record/index.ts'
import { kindsOf, runsBrowser } from '#lib/domain/tasks/index.ts'
import { countOf } from '#lib/domain/text/index.ts'
import { getBoard } from '#lib/server/board/board.ts'
import { compareWithBaseline } from '#lib/server/board/compare.ts'
import { findArm, getRow, listCutoffs } from '#lib/server/board/rows.ts'
import { readSandboxFix } from '#lib/server/board/sandbox-fix.ts'
import {
  defaultSuite,
  isFresh,
  listSuiteSummaries,
  listVersions,
} from '#lib/server/board/suites.ts'
import { linkPreview } from '#lib/server/http/preview-image.ts'
import { listRuns } from '#lib/server/runs/runs.ts'
import { readTable, type Table } from './table-rows.ts'

export const dynamic = 'force-dynamic'

type BoardPageProps = { searchParams: Promise<SearchParams> }

/** A link to a board with one open row is previewed as that row. */
export async function generateMetadata({ searchParams }: BoardPageProps): Promise<Metadata> {
  const view = loadBoardView(await searchParams)
  const { open } = view
  const [rowId] = open
  const found = open.length === 1 && rowId !== undefined ? await getRow(rowId) : null
  if (!found) return open.length === 0 ? boardPreview(view) : {}
  const { row, suite, isCurrent } = found
  return linkPreview({
    title: `${visibleText(subjectLabel(row.subject))} on ${visibleText(suite.title)}`,
    description: `${formatBadgeRate(row.success)}, ${formatTier(row.label)}`,
    path: rowPath(row.suiteId, row.rowId, isCurrent ? null : suite.digest),
    picture: rowPreviewPath(row.rowId),
  })
}

/** The preview of a board names the leading entry and its uncertainty. */
async function boardPreview({ suite: asked, version }: BoardView): Promise<Metadata> {
  const suiteId = asked ?? defaultSuite(await listSuiteSummaries())
  const board = suiteId === null ? null : await getBoard(suiteId, version)
  if (!board) return {}
  const { suite, rows } = board
  const ranked = rows.filter(({ rank }) => rank !== null).length
  const leader = findLeader(rows)
  const entries = countOf(rows.length - countControls(rows), 'entry')
  const size = `${entries}, ${ranked} ranked, on ${countOf(suite.tasks.length, 'task')}`
  return linkPreview({
    title: `${visibleText(suite.title)} leaderboard`,
    description: leader ? `${leader.words}. ${size}.` : `${size}.`,
    path: `/?suite=${encodeURIComponent(suite.suiteId)}`,
    picture: leader && rowPreviewPath(leader.rowId),
  })
}

/** Returns the leader of the first pool, with its uncertainty. */
function findLeader(rows: Board['rows']): { rowId: string; words: string } | null {
  const [pool] = rankedPools(rows.map(rankPoolOf))
  const others = rows.filter((row) => rankPoolOf(row) === pool)
  const [first] = others
  if (pool === undefined || !first) return null
  const name = visibleText(subjectLabel(first.subject))
  const kind = pool.endsWith('/llm') ? 'model-driven' : 'scripted'
  const place = `rank ${formatRank(first.rank)} of ${countOf(others.length, `${kind} entry`, `${kind} entries`)}`
  return { rowId: first.rowId, words: `${name}: ${formatBadgeRate(first.success)}, ${place}` }
}

/** The leaderboard of one suite. */
export default async function BoardPage({ searchParams }: BoardPageProps) {
  const query = await searchParams
  const view = loadBoardView(query)
  const { suites, suiteId, table, checked, runs, isNew } = await loadBoard(view)
  const board = table?.board ?? null
  const isReported = suites.find((suite) => suite.suiteId === suiteId)?.kind === 'reported'
  if (!board && suiteId !== null && view.version === null) return notFound()
  return (
    <>
      {table ? <SkipLink /> : null}
      <HomeHero board={board} checked={checked} isReported={isReported} />
      <SuiteTabs current={suiteId} suites={suites} />
      <ActiveRuns isFresh={isNew} runs={runs} waiting={!board || board.rows.length === 0} />
      {isReported ? (
        <p className="mb-4 border-line-strong border-l-2 pl-3">
          Results are reported by another program. They are not verified here and never ranked.
        </p>
      ) : null}
      {board && view.version !== null ? <VersionNotice board={board} /> : null}
      {table ? (
        <BoardBody
          isPicking={query.pick !== undefined}
          next={isReported ? null : <Next board={table.board} suites={suites} />}
          table={table}
          view={view}
        />
      ) : (
        <NoBoard suiteId={suiteId} />
      )}
      <Section id="legend" title="Evidence labels">
        <EvidenceLegend />
      </Section>
    </>
  )
}

/** Skips the controls above the table. */
function SkipLink() {
  return (
    <a
      className="sr-only rounded bg-accent px-3 py-2 text-accent-ink focus:not-sr-only focus:absolute focus:top-2 focus:left-2 focus:z-50"
      href="#entries"
    >
      Skip to the entries
    </a>
  )
}

/** Loads the page's data; suite and board are null if there is none. */
async function loadBoard({ suite, version }: BoardView) {
  const suites = await listSuiteSummaries()
  // Until something is measured, the page shows the runs of any suite.
  const isNew = isFresh(suites)
  const active = isNew ? (await listRuns(null, null)).items.filter(isActive) : []
  const suiteId =
    suite ??
    defaultSuite(
      suites,
      active.filter(({ status }) => status === 'running').map((run) => run.suiteId),
    )
  if (suiteId === null) return { suites, suiteId, table: null, checked: null, runs: active, isNew }
  // Controls solve exercises, so a browser suite shows the checks of another suite.
  const isBrowser = runsBrowser(suites.find((one) => one.suiteId === suiteId)?.kind)
  const others = suites.filter((one) => isBrowser && one.controls > 0 && one.suiteId !== suiteId)
  const [table, runs, ...controlled] = await Promise.all([
    readTable(suiteId, version),
    isNew ? active : listRuns(suiteId, null).then(({ items }) => items),
    ...others.map((one) => getBoard(one.suiteId)),
  ])
  const boards = [table?.board ?? null, ...controlled]
  const checked = findChecked(boards.filter((one) => one !== null))
  return { suites, suiteId, table, checked, runs, isNew }
}

type NextProps = { board: Board; suites: readonly SuiteSummary[] }

/** Next steps, shown while the board has no agent. */
async function Next({ board, suites }: NextProps) {
  const forAgents = suites.filter(
    (suite) => kindsOf(suite).includes('agent') && suite.kind !== 'reported',
  )
  const own = forAgents.find(({ suiteId }) => suiteId === board.suite.suiteId)
  const forLibraries = suites.find(({ kind }) => runsBrowser(kind))
  return (
    <NextSteps
      board={board}
      librarySuiteId={forLibraries?.suiteId ?? null}
      missingSandbox={readSandboxFix()}
      suiteId={(own ?? forAgents[0])?.suiteId ?? 'typescript'}
    />
  )
}

type BoardBodyProps = {
  table: Table
  view: BoardView
  next: ReactNode
  /** True while rows are being selected for a comparison. */
  isPicking: boolean
}

/** The winner comes first, then the table, then the next steps, which are alone until there is an entry. */
async function BoardBody({ table, view, next, isPicking }: BoardBodyProps) {
  const { board, rows, common, packed } = table
  const { suiteId, title } = board.suite
  if (board.rows.length === 0) {
    const measured = (await listVersions(suiteId)).filter(
      ({ digest, rows }) => rows > 0 && digest !== board.suite.digest,
    )
    return (
      <>
        <EarlierVersions suiteId={suiteId} versions={measured} />
        {next ?? <EmptyBoard suiteId={suiteId} />}
      </>
    )
  }
  const inView = filterRows(rows, view)
  const shown = new Set(inView.map(({ id }) => id))
  if (countFolded(rows, view) === rows.length && !isPicking) {
    return (
      <>
        {next}
        <OnlyControls count={rows.length} suiteId={suiteId} />
      </>
    )
  }
  return (
    <>
      <HomePanels board={board} rows={inView} />
      <GoneEntries ids={view.open.filter((id) => rows.every((row) => row.id !== id))} />
      <BoardExplorer
        against={view.base === null ? null : await compareWithBaseline(board, view.base)}
        charts={shown.size > 0 ? <BoardCharts board={board} shown={shown} view={view} /> : null}
        details={await openDetails(board, rows, view.open)}
        common={common}
        packedRows={packed}
        suiteId={suiteId}
        title={title}
      />
      {next}
    </>
  )
}

/** Reports that a linked entry is not on this board any more. */
function GoneEntries({ ids }: { ids: readonly string[] }) {
  if (ids.length === 0) return null
  return (
    <p className="untrusted mb-4 border-line-strong border-l-2 pl-3" role="status">
      Not on this board: {ids.map(visibleText).join(', ')}. The link may be outdated or incomplete:
      entry ids change with the suite version and settings.
    </p>
  )
}

/** Renders the details of the rows that the URL opens. */
async function openDetails(board: Board, rows: readonly TableRow[], open: readonly string[]) {
  if (open.length === 0) return {}
  const cutoffs = await listCutoffs()
  const details = rows.map(async (row, index) => {
    const source = board.rows[index]
    if (!source || !open.includes(row.id)) return []
    const arm = await findArm(source)
    const detail = toRowDetail(source, rowExposure(source, board, cutoffs), arm)
    return [[row.id, <RowDetails detail={detail} key={row.id} row={source} />] as const]
  })
  return Object.fromEntries((await Promise.all(details)).flat())
}

function VersionNotice({ board: { suite } }: { board: Board }) {
  return (
    <p className="mb-4 border-line-strong border-l-2 pl-3">
      Version <ShortDigest digest={suite.digest} /> of the suite. Entries are ranked only with
      entries of the same version.{' '}
      <a className="link" href={`/?suite=${encodeURIComponent(suite.suiteId)}`}>
        Current version
      </a>
    </p>
  )
}

/** Shown if the suite or the version does not exist. */
function NoBoard({ suiteId }: { suiteId: string | null }) {
  if (suiteId === null) return <EmptyBoard suiteId={null} />
  return (
    <Notice title={`This server does not have this version of “${visibleText(suiteId)}”`}>
      <p>
        The link may be incomplete.{' '}
        <a className="link" href={`/?suite=${encodeURIComponent(suiteId)}`}>
          Open the current version
        </a>
        .
      </p>
    </Notice>
  )
}
