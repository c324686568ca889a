import type { Metadata } from 'next'
import { notFound } from 'next/navigation'
import type { SearchParams } from 'nuqs/server'
import { loadReportView } from '#components/report/axis-list.tsx'
import { ReportPage } from '#components/report/report-page.tsx'
import { AXES } from '#lib/domain/reports/index.ts'
import { chooseBoard, getLibraryFacts } from '#lib/server/board/board.ts'

export const dynamic = 'force-dynamic'

type PageProps = {
  params: Promise<{ axis: string }>
  searchParams: Promise<SearchParams>
}

const findAxis = (slug: string) => AXES.find((axis) => axis.slug === slug)

export async function generateMetadata({ params }: PageProps): Promise<Metadata> {
  const axis = findAxis((await params).axis)
  return axis ? { title: axis.title, description: axis.why } : { title: 'Not found' }
}

export default async function Page({ params, searchParams }: PageProps) {
  const axis = findAxis((await params).axis)
  if (!axis) return notFound()
  const { suite, scale } = loadReportView(await searchParams)
  const chosen = await chooseBoard(suite)
  const { suiteId, board } = chosen
  if (suiteId !== null && !board) return notFound()
  const facts = suiteId === null ? null : await getLibraryFacts(suiteId)
  return <ReportPage {...chosen} axis={axis} facts={facts} scale={scale} />
}
