import type { Metadata } from 'next'
import { type BoardView, rankedPools } from '#components/board/board-view.ts'
import { visibleText } from '#components/ui/format.ts'
import {
  type Board,
  countControls,
  formatBadgeRate,
  formatRank,
  formatTier,
  rankPoolOf,
  rowPath,
  rowPreviewPath,
} from '#lib/domain/board/index.ts'
import { subjectLabel } from '#lib/domain/record/index.ts'
import { countOf } from '#lib/domain/text/index.ts'
import { getBoard } from '#lib/server/board/board.ts'
import { getRow } from '#lib/server/board/rows.ts'
import { defaultSuite, listSuiteSummaries } from '#lib/server/board/suites.ts'
import { linkPreview } from '#lib/server/http/preview-image.ts'

/** Returns the link preview of a board: of its one open row, or of its leading entry. */
export async function previewHome(view: BoardView): Promise<Metadata> {
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
