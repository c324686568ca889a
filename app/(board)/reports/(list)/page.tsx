import type { Metadata } from 'next'
import { notFound } from 'next/navigation'
import type { SearchParams } from 'nuqs/server'
import { SuiteTabs } from '#components/board/board-page.tsx'
import { AxisList, loadReportView } from '#components/report/axis-list.tsx'
import { Notice, PageHeading } from '#components/ui/layout.tsx'
import { buildAxisReports, SUPPORTING_ONLY } from '#lib/domain/reports/index.ts'
import { chooseBoard, getLibraryFacts } from '#lib/server/board/board.ts'

export const dynamic = 'force-dynamic'
export const metadata: Metadata = { title: 'Reports' }

type ReportsPageProps = { searchParams: Promise<SearchParams> }

/** All reports of one suite. */
export default async function ReportsPage({ searchParams }: ReportsPageProps) {
  const { suite } = loadReportView(await searchParams)
  const { suites, suiteId, board } = await chooseBoard(suite)
  if (suiteId !== null && !board) return notFound()
  const facts = suiteId === null ? null : await getLibraryFacts(suiteId)
  const reports = board ? buildAxisReports(board, facts) : []
  return (
    <>
      <PageHeading title="Reports">
        Results of a suite on each axis. Task completion is the primary axis; the others explain it.{' '}
        <a className="link" href="/methodology/measurement#reports">
          How to read reports
        </a>
      </PageHeading>
      <SuiteTabs current={suiteId} path="/reports" suites={suites} />
      {suiteId === null ? <NoSuite /> : null}
      {reports.some(({ supportingOnly }) => supportingOnly !== null) ? (
        <p className="mb-4 max-w-4xl text-base">{SUPPORTING_ONLY}</p>
      ) : null}
      {reports.length > 0 ? <AxisList reports={reports} /> : null}
    </>
  )
}

function NoSuite() {
  return (
    <Notice title="No suite is installed">
      <p>Suites are loaded from the exercises folder when the server starts.</p>
    </Notice>
  )
}
