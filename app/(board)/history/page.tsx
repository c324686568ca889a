import type { Metadata } from 'next'
import { notFound } from 'next/navigation'
import { createLoader, parseAsString, type SearchParams } from 'nuqs/server'
import { HistoryIndex } from '#components/board/history-index.tsx'
import { HistoryPage } from '#components/board/history-page.tsx'
import { NoEntries } from '#components/board/no-entries.tsx'
import { FeedLinks } from '#components/ui/feed-links.tsx'
import { PageHeading } from '#components/ui/layout.tsx'
import { getHistory, listHistories } from '#lib/server/board/board.ts'
import { listRowChanges } from '#lib/server/board/row-changes.ts'

export const dynamic = 'force-dynamic'
export const metadata: Metadata = { title: 'History' }

type PageProps = { searchParams: Promise<SearchParams> }

const loadQuery = createLoader({
  suite: parseAsString.withDefault(''),
  subject: parseAsString.withDefault(''),
  model: parseAsString,
})

/** Results of one agent over time, or a list of those that have any. */
export default async function Page({ searchParams }: PageProps) {
  const { suite, subject: name, model } = await loadQuery(searchParams)
  if (name === '') return <Histories suite={suite} />
  const subject = { name, model }
  const history = await getHistory(suite, subject)
  if (!history || history.rows.length === 0) return notFound()
  const query = new URLSearchParams({ suite: history.suiteId, agent: name })
  return (
    <>
      <FeedLinks about={`${name} on ${history.suiteTitle}`} query={String(query)} />
      <HistoryPage changes={await listRowChanges()} history={history} subject={subject} />
    </>
  )
}

/** Histories of one suite if it is known, otherwise of all. */
async function Histories({ suite }: { suite: string }) {
  const own = suite === '' ? [] : await listHistories(suite)
  const suites = own.length > 0 ? own : await listHistories(null)
  return (
    <>
      <PageHeading title="History">
        {suites.length > 0
          ? 'How the success rate of an agent or library changed over versions and dates. Choose one.'
          : 'How the success rate of an agent or library changes over versions and dates.'}
      </PageHeading>
      {suites.length === 0 ? <NoEntries /> : null}
      <HistoryIndex suites={suites} />
    </>
  )
}
