import type { Metadata } from 'next'
import { notFound } from 'next/navigation'
import { NamedRowsPage } from '#components/board/named-rows-page.tsx'
import { visibleText } from '#components/ui/format.ts'
import { decodeParam } from '#lib/domain/record/index.ts'
import { getNamedRows } from '#lib/server/board/named-rows.ts'

export const dynamic = 'force-dynamic'

type ModelPageProps = { params: Promise<{ name: string }> }

export async function generateMetadata({ params }: ModelPageProps): Promise<Metadata> {
  return { title: visibleText(decodeParam((await params).name)) }
}

/** One model, with every agent that was measured with it. */
export default async function ModelPage({ params }: ModelPageProps) {
  const found = await getNamedRows('model', decodeParam((await params).name))
  if (!found) notFound()
  return <NamedRowsPage found={found} kind="model" />
}
