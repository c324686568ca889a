import { redirect } from 'next/navigation'
import { rowPath } from '#lib/domain/board/index.ts'
import { getRow } from '#lib/server/board/rows.ts'
import { MissingPage } from '../../../missing-page.tsx'

export const dynamic = 'force-dynamic'

type RowPageProps = { params: Promise<{ rowId: string }> }

/** A row's lasting address, for badges: redirects to the row's current place, also on an earlier version's board. */
export default async function RowPage({ params }: RowPageProps) {
  const found = await getRow((await params).rowId)
  if (!found) return <MissingPage />
  const { row, suite, isCurrent } = found
  redirect(rowPath(row.suiteId, row.rowId, isCurrent ? null : suite.digest))
}
