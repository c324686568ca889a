import type { Metadata } from 'next'
import { notFound } from 'next/navigation'
import type { SearchParams } from 'nuqs/server'
import { BoardCharts } from '#components/board/board-charts.tsx'
import { BoardExplorer } from '#components/board/board-explorer.tsx'
import {
  EarlierVersions,
  EmptyBoard,
  GoneEntries,
  NoBoard,
  OnlyControls,
  SuiteTabs,
  VersionNotice,
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
import { packRows } from '#components/board/pack-rows.ts'
import { RowDetails } from '#components/board/row-details.tsx'
import { toRowDetail, toTableRows } from '#components/board/to-table-rows.ts'
import { ActiveRuns } from '#components/run/active-runs.tsx'
import { isActive } from '#components/run/run-status.tsx'
import { visibleText } from '#components/ui/format.ts'
import { Section } from '#components/ui/layout.tsx'
import type { SuiteSummary } from '#lib/domain/api/index.ts'
import {
  type Board,
  countRows,
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
import { byStamp } from '#lib/server/board/by-stamp.ts'
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

export const dynamic = 'force-dynamic'

type HomePageProps = { searchParams: Promise<SearchParams> }

export async function generateMetadata({ searchParams }: HomePageProps): Promise<Metadata> {
  return previewHome(loadBoardView(await searchParams))
}

/** The leaderboard of one suite. */
export default async function HomePage({ searchParams }: HomePageProps) {
  const query = await searchParams
  const view = loadBoardView(query)
  const { suites, suiteId, body, checked, runs, isNew, isReported } = await loadHome(view)
  const board = body?.table.board ?? null
  if (!board && suiteId !== null && view.version === null) return notFound()
  return (
    <>
      {body ? <SkipLink /> : null}
      <HomeHero board={board} checked={checked} isReported={isReported} />
      <SuiteTabs current={suiteId} suites={suites} />
      <ActiveRuns isFresh={isNew} runs={runs} waiting={!board || board.rows.length === 0} />
      {isReported ? (
        <p className="mb-4 border-line-strong border-l-2 pl-3">
          Results are reported by another program. They are not verified here and never ranked.
        </p>
      ) : null}
      {board && view.version !== null ? <VersionNotice board={board} /> : null}
      {body ? (
        <HomeBody body={body} isPicking={query.pick !== undefined} view={view} />
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

/** Returns the link preview of a board: of its one open row, or of its leading entry. */
async function previewHome(view: BoardView): Promise<Metadata> {
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
async function boardPreview({ suite: requested, version }: BoardView): Promise<Metadata> {
  const suiteId = requested ?? defaultSuite(await listSuiteSummaries())
  const board = suiteId === null ? null : await getBoard(suiteId, version)
  if (!board) return {}
  const { suite, rows } = board
  const ranked = rows.filter(({ rank }) => rank !== null).length
  const leader = findLeader(rows)
  const entries = countOf(rows.length - countRows(rows).controls, 'entry')
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

type HomeBodyProps = {
  body: Body
  view: BoardView
  /** True while rows are being selected for a comparison. */
  isPicking: boolean
}

/** The winner comes first, then the table, then the next steps, which are alone until there is an entry. */
function HomeBody({ body, view, isPicking }: HomeBodyProps) {
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
    <RowDetails
      colour={rows.find(({ id }) => id === row.rowId)?.colour}
      detail={detail}
      key={row.rowId}
      row={row}
    />,
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

/** Loads all that the home page shows; suite, table and body are null if there is none. */
async function loadHome(view: BoardView) {
  const home = await loadBoard(view)
  const { suites, suiteId, table } = home
  const isReported = suites.find((suite) => suite.suiteId === suiteId)?.kind === 'reported'
  const body = table && (await loadBody(table, view, isReported ? null : suites))
  return { ...home, isReported, body }
}

/** The suites of this server, the table of one of them, and what is running. */
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

type Body = Awaited<ReturnType<typeof loadBody>>

/** The board itself. `suites` null = no next steps: another program reported the results. */
async function loadBody(table: Table, view: BoardView, suites: readonly SuiteSummary[] | null) {
  const { board } = table
  const next = suites && findNextSteps(board, suites)
  if (board.rows.length === 0) {
    const versions = await listVersions(board.suite.suiteId)
    const measured = versions.filter((one) => one.rows > 0 && one.digest !== board.suite.digest)
    return { table, next, measured, against: null, opened: [] }
  }
  const against = view.base === null ? null : await compareWithBaseline(board, view.base)
  const opened = await openRows(board, view.open)
  return { table, next, measured: [], against, opened }
}

/** Suites for the next steps, shown while the board has no agent. */
function findNextSteps(board: Board, suites: readonly SuiteSummary[]) {
  const forAgents = suites.filter(
    (suite) => kindsOf(suite).includes('agent') && suite.kind !== 'reported',
  )
  const own = forAgents.find(({ suiteId }) => suiteId === board.suite.suiteId)
  const forLibraries = suites.find(({ kind }) => runsBrowser(kind))
  return {
    board,
    librarySuiteId: forLibraries?.suiteId ?? null,
    missingSandbox: readSandboxFix(),
    suiteId: (own ?? forAgents[0])?.suiteId ?? 'typescript',
  }
}

/** The details of the rows that the URL opens. */
async function openRows(board: Board, open: readonly string[]) {
  if (open.length === 0) return []
  const cutoffs = await listCutoffs()
  const rows = board.rows.filter(({ rowId }) => open.includes(rowId))
  return Promise.all(
    rows.map(async (row) => {
      const arm = await findArm(row)
      return { row, detail: toRowDetail(row, rowExposure(row, board, cutoffs), arm) }
    }),
  )
}

/** A board with the rows of its table, also as one text: React takes ten times as long to send objects. */
const readTable = byStamp('tables', async (suiteId: string, version: string | null) => {
  const board = await getBoard(suiteId, version)
  if (board === null) return null
  const { rows, common } = toTableRows(board.rows)
  return { board, rows, common, packed: packRows(rows) }
})

type Table = NonNullable<Awaited<ReturnType<typeof readTable>>>
