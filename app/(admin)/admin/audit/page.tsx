import type { Metadata } from 'next'
import type { SearchParams } from 'nuqs/server'
import { AuditFilters, AuditTable, auditHref, loadAuditFilter } from '#components/admin/audit.tsx'
import { PageHeading, Pager } from '#components/ui/layout.tsx'
import { Notice } from '#components/ui/notice.tsx'
import { countOf } from '#lib/domain/text/index.ts'
import { showTo } from '#lib/server/accounts/show-to.ts'
import { getAudit } from '#lib/server/board/get-audit.ts'
import { guardPage } from '#lib/server/http/guard.ts'

export const dynamic = 'force-dynamic'
export const metadata: Metadata = { title: 'Audit log' }

type AuditPageProps = { searchParams: Promise<SearchParams> }

/** The audit log: actor, action, target and time. */
export default async function AuditLogPage({ searchParams }: AuditPageProps) {
  const actor = await guardPage()
  const filter = loadAuditFilter(await searchParams)
  const words = { actor: filter.actor.trim(), target: filter.target.trim() }
  const view = await showTo(actor, await getAudit({ ...filter, ...words }))
  return (
    <>
      <PageHeading title="Audit log">
        Every change made by people, API tokens and the command line. Entries are append-only.
        Corrections to published results are also in the public{' '}
        <a className="link" href="/ledger">
          ledger
        </a>
        .
      </PageHeading>
      <AuditFilters actions={view.actions} filter={filter} />
      {view.lines.length > 0 ? (
        <>
          <p className="mb-2 text-muted">{countOf(view.matching, 'entry')}</p>
          <AuditTable lines={view.lines} />
          <Pager hrefOf={(page) => auditHref({ ...filter, page })} {...view} />
        </>
      ) : (
        <Notice title="No matching entries">
          <p>
            <a className="link" href="/admin/audit">
              Show all entries
            </a>
          </p>
        </Notice>
      )}
    </>
  )
}
