import type { Metadata } from 'next'
import Link from 'next/link'
import { createLoader, parseAsString, type SearchParams } from 'nuqs/server'
import { HistoryTable } from '#components/board/history-table.tsx'
import { plural, visibleText } from '#components/ui/format.ts'
import { Notice, PageHeading } from '#components/ui/layout.tsx'
import { getHistory } from '#lib/server/board/board.ts'

export const dynamic = 'force-dynamic'
export const metadata: Metadata = { title: 'History' }

type HistoryPageProps = { searchParams: Promise<SearchParams> }

const loadQuery = createLoader({
  suite: parseAsString.withDefault(''),
  subject: parseAsString.withDefault(''),
  model: parseAsString,
})

/** Results of one agent over time, on every version of a suite. */
export default async function HistoryPage({ searchParams }: HistoryPageProps) {
  const { suite, subject, model } = await loadQuery(searchParams)
  const history = await getHistory(suite, { name: subject, model })
  if (!history || history.rows.length === 0) {
    return (
      <Notice heading="h1" title={`“${visibleText(subject)}” has no entries on this suite`}>
        <p>The link may be outdated. Open an entry on the board and select History.</p>
      </Notice>
    )
  }
  return (
    <>
      <PageHeading
        title={[subject, model]
          .filter(Boolean)
          .map((part) => visibleText(part ?? ''))
          .join(' · ')}
        trail={
          <Link className="link" href={`/?suite=${encodeURIComponent(suite)}`} prefetch={false}>
            {history.suiteTitle}
          </Link>
        }
      >
        {plural(history.rows.length, 'entry', 'entries')}, oldest first. Where a version or setting
        changed, entries are separate measurements and their difference can have several causes.
      </PageHeading>
      <HistoryTable rows={history.rows} suiteId={suite} />
    </>
  )
}
