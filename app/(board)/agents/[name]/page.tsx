import type { Metadata } from 'next'
import { notFound } from 'next/navigation'
import { NamedRowsPage } from '#components/board/named-rows-page.tsx'
import { ScanCountList } from '#components/board/scan-counts.tsx'
import { visibleText } from '#components/ui/format.ts'
import { decodeParam } from '#lib/domain/record/index.ts'
import { getNamedRows } from '#lib/server/board/named-rows.ts'
import { countScans } from '#lib/server/runs/scan-counts.ts'

export const dynamic = 'force-dynamic'

type AgentPageProps = { params: Promise<{ name: string }> }

export async function generateMetadata({ params }: AgentPageProps): Promise<Metadata> {
  return { title: visibleText(decodeParam((await params).name)) }
}

/** One agent, browser library or control on every suite. */
export default async function AgentPage({ params }: AgentPageProps) {
  const name = decodeParam((await params).name)
  const [found, scans] = await Promise.all([getNamedRows('agent', name), countScans(name)])
  if (!found) notFound()
  return (
    <>
      <NamedRowsPage found={found} kind="agent" />
      <ScanCountList scans={scans} />
    </>
  )
}
