import type { Metadata } from 'next'
import { notFound } from 'next/navigation'
import { NamedRowsPage } from '#components/board/named-rows-page.tsx'
import { ScanCountList } from '#components/board/scan-counts.tsx'
import { FeedLinks } from '#components/ui/feed-links.tsx'
import { decodeParam } from '#lib/domain/text/index.ts'
import { findNamedRows, getNamedRows } from '#lib/server/board/named-rows.ts'
import { namedRowsPreview } from '#lib/server/http/named-rows-preview.ts'
import { countScans } from '#lib/server/runs/scan-counts.ts'

export const dynamic = 'force-dynamic'

type AgentPageProps = { params: Promise<{ name: string }> }

export async function generateMetadata({ params }: AgentPageProps): Promise<Metadata> {
  const name = decodeParam((await params).name)
  const rows = await findNamedRows('agent', name)
  return rows.length > 0 ? namedRowsPreview('agent', name, rows) : { title: 'Not found' }
}

/** One agent, browser library or control with its results on every suite. */
export default async function AgentPage({ params }: AgentPageProps) {
  const name = decodeParam((await params).name)
  const [found, scans] = await Promise.all([getNamedRows('agent', name), countScans(name)])
  if (!found) return notFound()
  const query = String(new URLSearchParams({ agent: found.name }))
  return (
    <>
      <FeedLinks about={found.name} query={query} />
      <NamedRowsPage found={found} kind="agent" />
      <ScanCountList scans={scans} />
    </>
  )
}
