import type { Metadata } from 'next'
import { NameIndex } from '#components/board/name-index.tsx'
import { PageHeading } from '#components/ui/layout.tsx'
import { listNameCounts } from '#lib/server/board/named-rows.ts'

export const dynamic = 'force-dynamic'
export const metadata: Metadata = { title: 'Models' }

/** All models of all boards, with links to their pages. */
export default async function ModelsPage() {
  const names = await listNameCounts('model')
  return (
    <>
      <PageHeading title="Models">
        Every model that an agent or library was measured with.
      </PageHeading>
      <NameIndex kind="model" names={names} />
    </>
  )
}
