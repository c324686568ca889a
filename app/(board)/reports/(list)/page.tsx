import type { Metadata } from 'next'
import { notFound } from 'next/navigation'
import type { SearchParams } from 'nuqs/server'
import { loadReportView } from '#components/report/axis-list.tsx'
import { ReportsPage } from '#components/report/report-page.tsx'
import { chooseBoard, getLibraryFacts } from '#lib/server/board/board.ts'

export const dynamic = 'force-dynamic'
export const metadata: Metadata = { title: 'Reports' }

type PageProps = { searchParams: Promise<SearchParams> }

export default async function Page({ searchParams }: PageProps) {
  const { suite } = loadReportView(await searchParams)
  const chosen = await chooseBoard(suite)
  const { suiteId, board } = chosen
  if (suiteId !== null && !board) return notFound()
  const facts = suiteId === null ? null : await getLibraryFacts(suiteId)
  return <ReportsPage {...chosen} facts={facts} />
}
