import type { Metadata } from 'next'
import { notFound } from 'next/navigation'
import { NamedRowsPage } from '#components/board/named-rows-page.tsx'
import { decodeParam } from '#lib/domain/text/index.ts'
import { findNamedRows, getNamedRows } from '#lib/server/board/named-rows.ts'
import { namedRowsPreview } from '#lib/server/http/named-rows-preview.ts'

export const dynamic = 'force-dynamic'

type ModelPageProps = { params: Promise<{ name: string }> }

export async function generateMetadata({ params }: ModelPageProps): Promise<Metadata> {
  const name = decodeParam((await params).name)
  const rows = await findNamedRows('model', name)
  return rows.length > 0 ? namedRowsPreview('model', name, rows) : { title: 'Not found' }
}

/** One model, with every agent that was measured with it. */
export default async function ModelPage({ params }: ModelPageProps) {
  const found = await getNamedRows('model', decodeParam((await params).name))
  if (!found) return notFound()
  return <NamedRowsPage found={found} kind="model" />
}
