import type { Metadata } from 'next'
import { notFound } from 'next/navigation'
import type { SearchParams } from 'nuqs/server'
import { loadRunList, RunFilter, RunPager } from '#components/run/run-filter.tsx'
import { isActive } from '#components/run/run-status.tsx'
import { RunTable } from '#components/run/run-table.tsx'
import { CommandLines, PageHeading } from '#components/ui/layout.tsx'
import { LiveRefresh, ReloadHint } from '#components/ui/live-refresh.tsx'
import { Notice } from '#components/ui/notice.tsx'
import { countOf } from '#lib/domain/text/index.ts'
import { listSuiteTitles } from '#lib/server/board/suites.ts'
import { formatPlace, parsePlace } from '#lib/server/http/list-place.ts'
import { listRuns, MAX_LISTED_RUNS } from '#lib/server/runs/runs.ts'

export const dynamic = 'force-dynamic'
export const metadata: Metadata = { title: 'Runs' }

type RunsPageProps = { searchParams: Promise<SearchParams> }

/** Runs of one suite or of all, newest first. */
export default async function RunsPage({ searchParams }: RunsPageProps) {
  const { suite, cursor } = loadRunList(await searchParams)
  const titles = await listSuiteTitles()
  if (suite !== null && !titles.has(suite)) return notFound()
  const after = cursor === null ? null : parsePlace(cursor)
  const { items: runs, last } = await listRuns(suite, cursor)
  const isWhole = after === null && last === null
  return (
    <>
      <LiveRefresh active={runs.some(isActive)} />
      <PageHeading title="Runs">
        A run is one execution of a frozen plan.
        {isWhole && runs.length > 0 ? ` ${countOf(runs.length, 'run')}.` : null}
        {isWhole ? null : ` Newest first, ${MAX_LISTED_RUNS} per page.`}
      </PageHeading>
      <RunFilter suite={suite} titles={titles} />
      {runs.some(isActive) ? <ReloadHint /> : null}
      {runs.length > 0 ? <RunTable runs={runs} titles={titles} /> : <NoRuns suite={suite} />}
      <RunPager
        cursor={after === null ? null : cursor}
        next={last === null ? null : formatPlace(last)}
        suite={suite}
      />
    </>
  )
}

function NoRuns({ suite }: { suite: string | null }) {
  if (suite !== null)
    return (
      <Notice title="No runs of this suite">
        <p>
          <a className="link" href={`/plan?suite=${encodeURIComponent(suite)}`}>
            Plan a run
          </a>{' '}
          to see its cost and the command that starts it.
        </p>
      </Notice>
    )
  return (
    <Notice title="No runs yet">
      <p>The first start queues runs automatically. To start one now:</p>
      <CommandLines lines={['npx proofboard run --suite typescript --subject reference']} />
    </Notice>
  )
}
