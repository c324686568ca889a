import type { Metadata } from 'next'
import { plural } from '#components/format/number.ts'
import { RunTable } from '#components/run/run-table.tsx'
import { isActive } from '#components/run/run-words.ts'
import { Command } from '#components/ui/command.tsx'
import { LiveRefresh } from '#components/ui/live-refresh.tsx'
import { Notice } from '#components/ui/notice.tsx'
import { PageHeading } from '#components/ui/page-heading.tsx'
import { listRuns } from '#lib/runs/list-runs.ts'

export const dynamic = 'force-dynamic'
export const metadata: Metadata = { title: 'Runs' }

const MOST = 200

/** Every run, newest first. */
export default async function RunsPage() {
  const runs = await listRuns({ limit: MOST })
  return (
    <>
      <LiveRefresh active={runs.some(isActive)} />
      <PageHeading title="Runs">
        One run is one execution of a frozen plan.
        {runs.length === MOST
          ? ` The newest ${MOST} are shown.`
          : ` ${plural(runs.length, 'run')}.`}
      </PageHeading>
      {runs.length > 0 ? (
        <RunTable runs={runs} />
      ) : (
        <Notice title="No run yet">
          <p>The first start queues one by itself. To start one now:</p>
          <Command lines={['npx proofboard run --suite typescript --subject reference']} />
        </Notice>
      )}
    </>
  )
}
