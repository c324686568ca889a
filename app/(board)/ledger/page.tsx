import type { Metadata } from 'next'
import Link from 'next/link'
import type { SearchParams } from 'nuqs/server'
import {
  LedgerFilters,
  LedgerTable,
  ledgerHref,
  loadLedgerFilter,
} from '#components/ledger/ledger-page.tsx'
import { ChainStatus } from '#components/ledger/ledger-status.tsx'
import { plural, visibleText } from '#components/ui/format.ts'
import { Notice, PageHeading, Pager } from '#components/ui/layout.tsx'
import { getLedger } from '#lib/server/care/ledger.ts'

export const dynamic = 'force-dynamic'
export const metadata: Metadata = { title: 'Ledger' }

type LedgerPageProps = { searchParams: Promise<SearchParams> }

/** Everything that was ever done to a published number, and whether the record is whole. */
export default async function LedgerPage({ searchParams }: LedgerPageProps) {
  const filter = loadLedgerFilter(await searchParams)
  const view = await getLedger({ ...filter, target: filter.target.trim() })
  return (
    <>
      <PageHeading title="Ledger">
        What was done to published results, by whom and why. Entries are only ever added; a
        correction is one more entry.
      </PageHeading>
      <ChainStatus view={view} />
      <LedgerFilters {...filter} />
      {view.entries.length > 0 ? (
        <>
          {view.matching === view.total ? null : (
            <p className="mb-2 text-muted">
              {plural(view.matching, 'entry', 'entries')} of {view.total}
            </p>
          )}
          <LedgerTable entries={view.entries} rows={view.rows} />
          <Pager hrefOf={(page) => ledgerHref({ ...filter, page })} {...view} />
        </>
      ) : (
        <NoEntry filtered={view.total > 0} target={filter.target} />
      )}
    </>
  )
}

function NoEntry({ filtered, target }: { filtered: boolean; target: string }) {
  if (!filtered) {
    return (
      <Notice title="No entry yet">
        <p>The first is written when a suite is read or a run has its first episode.</p>
      </Notice>
    )
  }
  return (
    <Notice title={target ? `No such entry about “${visibleText(target)}”` : 'No such entry'}>
      <p>
        <Link className="link" href="/ledger">
          Show all entries
        </Link>
      </p>
    </Notice>
  )
}
