import type { Metadata } from 'next'
import type { SearchParams } from 'nuqs/server'
import {
  LedgerFilters,
  LedgerTable,
  ledgerHref,
  loadLedgerFilter,
} from '#components/ledger/ledger-page.tsx'
import { ChainStatus } from '#components/ledger/ledger-status.tsx'
import { visibleText } from '#components/ui/format.ts'
import { PageHeading, Pager } from '#components/ui/layout.tsx'
import { Notice } from '#components/ui/notice.tsx'
import { countOf } from '#lib/domain/text/index.ts'
import { getLedger } from '#lib/server/care/ledger.ts'

export const dynamic = 'force-dynamic'
export const metadata: Metadata = { title: 'Ledger' }

type LedgerPageProps = { searchParams: Promise<SearchParams> }

/** All changes to published results, and whether the hash chain is intact. */
export default async function LedgerPage({ searchParams }: LedgerPageProps) {
  const filter = loadLedgerFilter(await searchParams)
  const view = await getLedger({ ...filter, target: filter.target.trim() })
  return (
    <>
      <PageHeading title="Ledger">
        All changes to published results, with author and reason. The ledger is append-only;
        corrections are new entries.
      </PageHeading>
      <ChainStatus view={view} />
      <LedgerFilters {...filter} />
      {view.entries.length > 0 ? (
        <>
          {view.matching === view.total ? null : (
            <p className="mb-2 text-muted">
              {countOf(view.matching, 'entry')} of {view.total}
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
      <Notice title="No entries yet">
        <p>The first entry is added when a suite is loaded or a run has its first episode.</p>
      </Notice>
    )
  }
  return (
    <Notice title={target ? `No entries for “${visibleText(target)}”` : 'No matching entries'}>
      <p>
        <a className="link" href="/ledger">
          Show all entries
        </a>
      </p>
    </Notice>
  )
}
