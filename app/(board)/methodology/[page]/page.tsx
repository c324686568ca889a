import type { Metadata } from 'next'
import { notFound } from 'next/navigation'
import { MethodologyPart } from '#components/docs/methodology-pages.tsx'
import { PAGE_WORDS } from '#components/docs/page-words.ts'
import { METHODOLOGY_SLUGS } from '#lib/domain/reports/index.ts'
import { readMethodology } from '#lib/server/board/text-pages.ts'

export const dynamic = 'force-dynamic'

type PageProps = { params: Promise<{ page: string }> }

export async function generateMetadata({ params }: PageProps): Promise<Metadata> {
  return { title: (await openPage(params))?.title ?? 'Not found' }
}

export default async function MethodologyPartPage({ params }: PageProps) {
  const page = await openPage(params)
  return page ? <MethodologyPart page={page} /> : notFound()
}

async function openPage(params: PageProps['params']) {
  const { page } = await params
  const slug = METHODOLOGY_SLUGS.find((one) => one === page)
  return slug === undefined ? undefined : (await readMethodology(PAGE_WORDS)).get(slug)
}
