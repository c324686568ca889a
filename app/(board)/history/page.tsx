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

/** How one subject did over time, on every version of a suite. */
export default async function HistoryPage({ searchParams }: HistoryPageProps) {
  const { suite, subject, model } = await loadQuery(searchParams)
  const history = await getHistory(suite, { name: subject, model })
  if (!history || history.rows.length === 0) {
    return (
      <Notice heading="h1" title={`No row of “${visibleText(subject)}” is on this suite’s boards`}>
        <p>The link may be old. Open a row on the board and follow its history from there.</p>
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
        {plural(history.rows.length, 'row')}, oldest first. Where versions or settings changed, two
        rows are two measurements: a difference between them has more than one possible cause.
      </PageHeading>
      <HistoryTable rows={history.rows} suiteId={suite} />
    </>
  )
}
