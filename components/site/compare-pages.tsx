import { type Board, type BoardRow, rankPoolOf } from '#lib/domain/board/index.ts'
import {
  buildComparison,
  type ComparedRow,
  type ComparisonView,
  comparePath,
  MAX_COMPARED_ROWS,
  nameRows,
  refuseComparison,
} from '#lib/domain/compare/index.ts'
import { type AnyEpisode, groupBy } from '#lib/domain/record/index.ts'
import { ComparedPage, rowsOfPair, type ShownPair } from '../compare/compared-page.tsx'
import { visibleText } from '../ui/format.ts'
import { PageHeading, Section } from '../ui/layout.tsx'
import type { SitePage } from './more-pages.tsx'
import { newestBoards, type SiteInput } from './site-input.ts'

/** Comparisons of one board; a site has no page for each of its pairs. */
const MAX_COMPARISONS = 20

type Listed = { board: Board; rows: readonly BoardRow[] }

/** Comparisons of each ranked entry with the next one, and of the arms of a plan with each other. */
export function listComparePages(input: SiteInput): SitePage[] {
  const listed = newestBoards(input).flatMap((board) => listComparisons(board, input))
  if (listed.length === 0) return []
  const index = {
    address: '/compare',
    title: 'Compare',
    draw: () => <CompareIndex listed={listed} />,
  }
  const pages = listed.map((one) => ({
    address: pathOf(one),
    title: titleOf(one),
    draw: () => drawComparison(one, input),
  }))
  return [index, ...pages]
}

function listComparisons(board: Board, input: SiteInput): Listed[] {
  const ranked = board.rows.filter((row) => rankPoolOf(row) !== null)
  const pools = groupBy(ranked, (row) => String(rankPoolOf(row)))
  const neighbours = [...pools.values()].flatMap((rows) =>
    rows.slice(1).map((row, place) => [rows[place] as BoardRow, row]),
  )
  return [...listArms(board, input), ...neighbours]
    .map((rows) => ({ board, rows }))
    .filter((one) => refuseComparison(inputOf(one, input)) === null)
    .slice(0, MAX_COMPARISONS)
}

/** The entries of each plan with arms. */
function listArms({ rows }: Board, { runs }: SiteInput): BoardRow[][] {
  return runs
    .filter(({ plan }) => plan.arms !== undefined)
    .map(({ runId }) => rows.filter((row) => row.subject.arm && row.runIds.includes(runId)))
    .filter((arms) => arms.length > 1 && arms.length <= MAX_COMPARED_ROWS)
}

function inputOf({ rows }: Listed, { suites }: SiteInput) {
  return { rowIds: rows.map(({ rowId }) => rowId), rows: [...rows], suites: [...suites] }
}

function pathOf({ rows }: Listed): string {
  return comparePath(rows.map(({ rowId }) => rowId))
}

function titleOf({ rows }: Listed): string {
  return [...nameRows([...rows]).values()].map(visibleText).join(' vs. ')
}

function CompareIndex({ listed }: { listed: readonly Listed[] }) {
  const boards = new Set(listed.map(({ board }) => board))
  return (
    <>
      <PageHeading title="Compare">
        Each ranked entry compared with the next one, and the arms of a plan with each other. The
        original compares any entries of a suite version.
      </PageHeading>
      {[...boards].map((board) => (
        <Section
          id={`suite-${board.suite.suiteId}`}
          key={board.suite.digest}
          title={visibleText(board.suite.title)}
        >
          <ul className="max-w-4xl border-line border-b">
            {listed
              .filter((one) => one.board === board)
              .map((one) => (
                <li className="border-line border-t py-2" key={pathOf(one)}>
                  <a className="link untrusted" href={pathOf(one)}>
                    {titleOf(one)}
                  </a>
                </li>
              ))}
          </ul>
        </Section>
      ))}
    </>
  )
}

function drawComparison(listed: Listed, input: SiteInput) {
  const view = buildComparison(inputOf(listed, input))
  if (!view.ok) return <p>{view.reason}</p>
  return <ComparedPage board={listed.board} shown={firstPair(view, input)} view={view} />
}

function firstPair(view: ComparisonView, input: SiteInput): ShownPair | null {
  const pair = rowsOfPair(view, 0)
  if (!pair) return null
  const taskIds = (view.pairs[0]?.flipped ?? []).map(({ taskId }) => taskId)
  const [a, b] = [pair.a, pair.b].map((row) => lastAttempts(row, taskIds, input))
  return { ...pair, episodes: { a: a ?? {}, b: b ?? {} } }
}

/** The last attempt of each slot of a row, by task. */
function lastAttempts(
  { runIds, subject }: ComparedRow,
  taskIds: readonly string[],
  { runs, statusOf }: SiteInput,
): ShownPair['episodes']['a'] {
  const slots = new Map<string, AnyEpisode>()
  for (const { runId, episodes } of runs.filter(({ runId }) => runIds.includes(runId)))
    for (const episode of episodes)
      if (episode.subject.arm === subject.arm && taskIds.includes(episode.taskId))
        slots.set(`${runId} ${episode.taskId} ${episode.repetition}`, episode)
  const shown = [...slots.values()].map((episode) => ({
    taskId: episode.taskId,
    episodeId: episode.episodeId,
    repetition: episode.repetition,
    status: statusOf?.(episode) ?? episode.outcome.status,
  }))
  return Object.fromEntries(
    taskIds.map((taskId) => [taskId, shown.filter((one) => one.taskId === taskId)]),
  )
}
