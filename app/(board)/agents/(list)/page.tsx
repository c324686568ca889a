import type { Metadata } from 'next'
import { NameIndex } from '#components/board/name-index.tsx'
import { PageHeading } from '#components/ui/layout.tsx'
import { listNameCounts } from '#lib/server/board/named-rows.ts'

export const dynamic = 'force-dynamic'
export const metadata: Metadata = { title: 'Agents and libraries' }

/** All agents of all boards, with links to their pages. */
export default async function AgentsPage() {
  const names = await listNameCounts('agent')
  return (
    <>
      <PageHeading title="Agents and libraries">Everything measured, by name.</PageHeading>
      <NameIndex kind="agent" names={names} />
    </>
  )
}
