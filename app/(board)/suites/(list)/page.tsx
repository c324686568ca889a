import type { Metadata } from 'next'
import type { DataColumn } from '#components/ui/data-column.ts'
import { formatCount, visibleText } from '#components/ui/format.ts'
import { PageHeading } from '#components/ui/layout.tsx'
import { Notice } from '#components/ui/notice.tsx'
import { DataTable } from '#components/ui/table.tsx'
import type { SuiteSummary } from '#lib/domain/api/index.ts'
import { formatRowCounts } from '#lib/domain/board/index.ts'
import { kindTraits } from '#lib/domain/tasks/index.ts'
import { listSuiteSummaries } from '#lib/server/board/suites.ts'

export const dynamic = 'force-dynamic'
export const metadata: Metadata = {
  title: 'Tasks',
  description: 'Every suite of tasks on this server, with its version, tasks and entries.',
}

const COLUMNS: readonly DataColumn<SuiteSummary>[] = [
  {
    head: 'Suite',
    cell: ({ suiteId, title }) => (
      <a
        className="untrusted font-semibold hover:underline"
        href={`/suites/${encodeURIComponent(suiteId)}`}
      >
        {visibleText(title)}
      </a>
    ),
    rowHeader: 'font-normal',
    cellClass: 'col-span-2',
    label: null,
  },
  { head: 'Kind', cell: ({ kind }) => kindTraits(kind).title, cellClass: 'col-span-2 text-muted' },
  { head: 'Tasks', cell: ({ tasks }) => formatCount(tasks), numeric: true },
  {
    head: 'Ranked',
    title: 'Entries that meet every evidence rule, without those under injected faults',
    cell: ({ ranked, stress }) => (
      <>
        {formatCount(ranked - stress)}
        {stress > 0 ? <span className="text-muted"> + {formatCount(stress)} stress</span> : null}
      </>
    ),
    numeric: true,
  },
  {
    head: 'Entries',
    cell: ({ suiteId, rows, controls }) => (
      <a
        className="hover:underline"
        href={`/?suite=${encodeURIComponent(suiteId)}`}
        title={`Open the board of this suite: ${formatRowCounts({ rows, controls })}`}
      >
        {formatCount(rows - controls)}
      </a>
    ),
    numeric: true,
  },
  {
    head: 'Version',
    cell: ({ version, digest }) => <span title={digest}>{visibleText(version)}</span>,
    cellClass: 'text-muted',
  },
]

/** Every suite of this server. */
export default async function SuitesPage() {
  const suites = await listSuiteSummaries()
  return (
    <>
      <PageHeading title="Tasks">
        Tasks come in suites. Open a suite to see its tasks and who solves them. A suite is
        versioned: changing a test creates a new version.
      </PageHeading>
      {suites.length > 0 ? (
        <DataTable
          caption="Suites"
          cards="md"
          cellClass="md:h-11 md:px-2.5"
          className="w-full border-line border-b"
          columns={COLUMNS}
          headClass="h-9 border-line-strong border-b px-2.5 text-muted text-xs"
          keyOf={({ suiteId }) => suiteId}
          rowProps={() => ({
            className: 'grid-cols-2 gap-x-3 gap-y-1.5 border-line border-t py-3',
          })}
          rows={suites}
        />
      ) : (
        <Notice title="No suite is installed">
          <p>Suites are loaded from the exercises folder when the server starts.</p>
        </Notice>
      )}
    </>
  )
}
