import type { BoardView } from '#components/board/board-view.ts'
import { toRowDetail } from '#components/board/to-table-rows.ts'
import { isActive } from '#components/run/run-status.tsx'
import type { SuiteSummary } from '#lib/domain/api/index.ts'
import { type Board, findChecked, rowExposure } from '#lib/domain/board/index.ts'
import { kindsOf, runsBrowser } from '#lib/domain/tasks/index.ts'
import { getBoard } from '#lib/server/board/board.ts'
import { compareWithBaseline } from '#lib/server/board/compare.ts'
import { findArm, listCutoffs } from '#lib/server/board/rows.ts'
import { readSandboxFix } from '#lib/server/board/sandbox-fix.ts'
import {
  defaultSuite,
  isFresh,
  listSuiteSummaries,
  listVersions,
} from '#lib/server/board/suites.ts'
import { listRuns } from '#lib/server/runs/runs.ts'
import { readTable, type Table } from './table-rows.ts'

/** Loads all that the home page shows; suite, table and body are null if there is none. */
export async function loadHome(view: BoardView) {
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

export type HomeBody = Awaited<ReturnType<typeof loadBody>>

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
