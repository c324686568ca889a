import type { Metadata } from 'next'
import Link from 'next/link'
import { plural } from '#components/ui/format.ts'
import { Notice, PageHeading } from '#components/ui/layout.tsx'
import { listSuiteSummaries } from '#lib/server/board/suites.ts'

export const dynamic = 'force-dynamic'
export const metadata: Metadata = { title: 'Suites' }

/** Every suite of this server. */
export default async function SuitesPage() {
  const suites = await listSuiteSummaries()
  return (
    <>
      <PageHeading title="Suites">
        A suite is a versioned set of tasks. Changing a test creates a new version.
      </PageHeading>
      {suites.length > 0 ? (
        <ul className="border-line border-b">
          {suites.map(({ suiteId, title, tasks, rows }) => (
            <li
              className="flex min-h-9 flex-wrap items-center gap-x-5 gap-y-1 border-line border-t py-1.5"
              key={suiteId}
            >
              <Link
                className="link min-w-60 font-medium"
                href={`/suites/${suiteId}`}
                prefetch={false}
              >
                {title}
              </Link>
              <span className="text-muted">{plural(tasks, 'task')}</span>
              <Link
                className="link"
                href={`/?suite=${encodeURIComponent(suiteId)}`}
                prefetch={false}
              >
                {plural(rows, 'entry', 'entries')} on the board
              </Link>
            </li>
          ))}
        </ul>
      ) : (
        <Notice title="No suite is installed">
          <p>Suites are loaded from the exercises folder when the server starts.</p>
        </Notice>
      )}
    </>
  )
}
