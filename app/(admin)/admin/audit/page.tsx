import type { Metadata } from 'next'
import Link from 'next/link'
import type { SearchParams } from 'nuqs/server'
import { auditHref, loadAuditFilter } from '#components/admin/audit-filter.ts'
import { AuditFilters } from '#components/admin/audit-filters.tsx'
import { AuditTable } from '#components/admin/audit-table.tsx'
import { plural } from '#components/format/number.ts'
import { Pager } from '#components/ledger/pager.tsx'
import { Notice } from '#components/ui/notice.tsx'
import { PageHeading } from '#components/ui/page-heading.tsx'
import { getAudit } from '#lib/audit/get-audit.ts'
import { guardPage } from '#lib/http/guard-page.ts'

export const dynamic = 'force-dynamic'
export const metadata: Metadata = { title: 'Audit' }

type AuditPageProps = { searchParams: Promise<SearchParams> }

/** The audit log: actor, action, target and time. */
export default async function AuditPage({ searchParams }: AuditPageProps) {
  await guardPage()
  const filter = loadAuditFilter(await searchParams)
  const view = await getAudit({
    ...filter,
    actor: filter.actor.trim(),
    target: filter.target.trim(),
  })
  return (
    <>
      <PageHeading title="Audit">
        Every change made by people, API tokens and the command line. Entries are append-only.
        Corrections to published results are also in the public{' '}
        <Link className="link" href="/ledger">
          ledger{' '}
        </Link>{' '}
        .
      </PageHeading>
      <AuditFilters actions={view.actions} filter={filter} />
      {view.lines.length > 0 ? (
        <>
          <p className="mb-2 text-muted">{plural(view.matching, 'entry', 'entries')}</p>
          <AuditTable lines={view.lines} />
          <Pager hrefOf={(page) => auditHref({ ...filter, page })} {...view} />
        </>
      ) : (
        <Notice title="No matching entries">
          <p>
            <Link className="link" href="/admin/audit">
              Show all entries
            </Link>
          </p>
        </Notice>
      )}
    </>
  )
}
