import type { Metadata } from 'next'
import { notFound } from 'next/navigation'
import { SectionView } from '#components/docs/methodology.tsx'
import { PAGE_WORDS } from '#components/docs/page-words.ts'
import { PageHeading, WithContents } from '#components/ui/layout.tsx'
import { METHODOLOGY_SLUGS } from '#lib/domain/reports/index.ts'
import { readMethodology } from '#lib/server/board/text-pages.ts'

export const dynamic = 'force-dynamic'

type PageProps = { params: Promise<{ page: string }> }

export async function generateMetadata({ params }: PageProps): Promise<Metadata> {
  return { title: (await openPage(params))?.title ?? 'Not found' }
}

/** A page of the methodology. */
export default async function MethodologyPartPage({ params }: PageProps) {
  const page = await openPage(params)
  if (!page) return notFound()
  return (
    <>
      <PageHeading
        title={page.title}
        trail={
          <a className="link" href="/methodology">
            Methodology
          </a>
        }
      />
      <WithContents entries={page.sections}>
        {page.sections.map((section) => (
          <SectionView key={section.id} section={section} />
        ))}
      </WithContents>
    </>
  )
}

async function openPage(params: PageProps['params']) {
  const { page } = await params
  const slug = METHODOLOGY_SLUGS.find((one) => one === page)
  return slug === undefined ? undefined : (await readMethodology(PAGE_WORDS)).get(slug)
}
