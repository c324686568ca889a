import type { Metadata } from 'next'
import { isActive } from '#components/run/run-status.tsx'
import { RunTable } from '#components/run/run-table.tsx'
import { plural } from '#components/ui/format.ts'
import { CommandLines, Notice, PageHeading } from '#components/ui/layout.tsx'
import { LiveRefresh, ReloadHint } from '#components/ui/live-refresh.tsx'
import { listSuiteTitles } from '#lib/server/board/suites.ts'
import { listRunPage } from '#lib/server/runs/runs.ts'

export const dynamic = 'force-dynamic'
export const metadata: Metadata = { title: 'Runs' }

const MOST = 200

/** Every run, newest first. */
export default async function RunsPage() {
  const newest = { after: null, limit: MOST }
  const [{ items: runs, last }, titles] = await Promise.all([
    listRunPage({}, newest),
    listSuiteTitles(),
  ])
  return (
    <>
      <LiveRefresh active={runs.some(isActive)} />
      <PageHeading title="Runs">
        A run is one execution of a frozen plan.
        {last !== null ? ` Showing the newest ${MOST}.` : null}
        {last === null && runs.length > 0 ? ` ${plural(runs.length, 'run')}.` : null}
      </PageHeading>
      {runs.some(isActive) ? <ReloadHint /> : null}
      {runs.length > 0 ? (
        <RunTable runs={runs} titles={titles} />
      ) : (
        <Notice title="No runs yet">
          <p>The first start queues runs automatically. To start one now:</p>
          <CommandLines lines={['npx proofboard run --suite typescript --subject reference']} />
        </Notice>
      )}
    </>
  )
}
