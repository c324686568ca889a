import type { Metadata } from 'next'
import { NameIndex } from '#components/board/name-index.tsx'
import { Notice, PageHeading } from '#components/ui/layout.tsx'
import { listNameCounts } from '#lib/server/board/named-rows.ts'

export const dynamic = 'force-dynamic'
export const metadata: Metadata = { title: 'Agents and libraries' }

/** Names of all boards, each with its page. */
export default async function AgentsPage() {
  const names = await listNameCounts('agent')
  return (
    <>
      <PageHeading title="Agents and libraries">Everything measured, by name.</PageHeading>
      {names.length > 0 ? (
        <NameIndex kind="agent" names={names} />
      ) : (
        <Notice title="No agent was measured yet">
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
