import {
  listHistorySubjects,
  listRowPairs,
  pickRowChanges,
  type RowChange,
  rowHistory,
} from '#lib/domain/board/index.ts'
import { changeSteps } from '#lib/domain/statistics/index.ts'
import { HistoryIndex } from '../board/history-index.tsx'
import { HistoryPage } from '../board/history-page.tsx'
import { visibleText } from '../ui/format.ts'
import { PageHeading } from '../ui/layout.tsx'
import type { SitePage } from './more-pages.tsx'
import { newestBoards, type SiteInput } from './site-input.ts'

/** Results over time of every subject of a current board, on all versions of its suite. */
export function listHistoryPages(input: SiteInput): SitePage[] {
  const suites = newestBoards(input).flatMap(({ suite: { suiteId, title }, rows }) => {
    const subjects = listHistorySubjects(rows)
    return subjects.length > 0 ? [{ suiteId, suiteTitle: title, subjects }] : []
  })
  if (suites.length === 0) return []
  let changes: RowChange[] | null = null
  const index = {
    address: '/history',
    title: 'History',
    draw: () => (
      <>
        <PageHeading title="History">
          How the success rate of an agent or library changed over versions and dates. Choose one.
        </PageHeading>
        <HistoryIndex suites={suites} />
      </>
    ),
  }
  const pages = suites.flatMap(({ suiteId, suiteTitle, subjects }) =>
    subjects.map(({ name, model }) => {
      const query = { suite: suiteId, subject: name, ...(model === null ? {} : { model }) }
      return {
        address: `/history?${new URLSearchParams(query)}`,
        title: `${visibleText(name)}: history`,
        draw: () => {
          changes ??= findChanges(input)
          const boards = input.boards.filter(({ suite }) => suite.suiteId === suiteId)
          const rows = rowHistory(boards, { name, model })
          const history = { suiteId, suiteTitle, rows }
          return <HistoryPage changes={changes} history={history} subject={{ name, model }} />
        },
      }
    }),
  )
  return [index, ...pages]
}

/** All pairs of all suites are tested together, as on a server. */
function findChanges({ boards, suites }: SiteInput): RowChange[] {
  const pairs = listRowPairs(boards, suites)
  const steps = changeSteps(pairs.map(({ test }) => test))
  let step = steps.next()
  while (!step.done) step = steps.next()
  return pickRowChanges(pairs, step.value)
}
