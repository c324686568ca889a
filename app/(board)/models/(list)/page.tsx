import type { Metadata } from 'next'
import { NameIndex } from '#components/board/name-index.tsx'
import { Notice, PageHeading } from '#components/ui/layout.tsx'
import { listNameCounts } from '#lib/server/board/named-rows.ts'

export const dynamic = 'force-dynamic'
export const metadata: Metadata = { title: 'Models' }

/** Names of all boards, each with its page. */
export default async function ModelsPage() {
  const names = await listNameCounts('model')
  return (
    <>
      <PageHeading title="Models">
        Every model that an agent or library was measured with.
      </PageHeading>
      {names.length > 0 ? (
        <NameIndex kind="model" names={names} />
      ) : (
        <Notice title="No model was measured yet">
          <p>
            <a className="link" href="/plan">
              Plan a run
            </a>{' '}
            to measure one.
          </p>
        </Notice>
      )}
    </>
  )
}
