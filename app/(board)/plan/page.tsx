import type { Metadata } from 'next'
import { headers } from 'next/headers'
import { PlanEstimate } from '#components/launch/plan-estimate.tsx'
import { PlanForm } from '#components/launch/plan-form.tsx'
import { TopUpEstimate } from '#components/launch/top-up-estimate.tsx'
import { ActionForm } from '#components/ui/form.tsx'
import { visibleText } from '#components/ui/format.ts'
import { PageHeading } from '#components/ui/layout.tsx'
import { Notice } from '#components/ui/notice.tsx'
import { isSubjectNamed, PLAN_FIELDS } from '#lib/domain/api/index.ts'
import { countOf } from '#lib/domain/text/index.ts'
import { findActor } from '#lib/server/accounts/auth.ts'
import { getTopUp } from '#lib/server/board/get-top-up.ts'
import { readFields } from '#lib/server/board/plan-request.ts'
import { getPlanner } from '#lib/server/board/planner.ts'
import { listSuiteTitles } from '#lib/server/board/suites.ts'
import { topUpRow } from './actions.ts'

export const dynamic = 'force-dynamic'
export const metadata: Metadata = { title: 'Plan' }

type Query = Record<string, string | string[] | undefined>
type PlanPageProps = { searchParams: Promise<Query> }

/** Estimates the power, cost and time of a plan before it runs, or the samples that a row lacks. */
export default async function PlanPage({ searchParams }: PlanPageProps) {
  const query = await searchParams
  const rowId = [query.topUp].flat()[0]
  return rowId === undefined ? <Planner query={query} /> : <TopUp query={query} rowId={rowId} />
}

async function Planner({ query }: { query: Query }) {
  // The estimate is the most expensive part of any page, so it is computed only on request.
  const isRequested = PLAN_FIELDS.some((field) => field !== 'suite' && query[field] !== undefined)
  const view = await getPlanner(readFields(query), new Date().toISOString(), { isRequested })
  return (
    <>
      <PageHeading title="Plan">
        Estimate the detectable difference, cost and time of a run before you start it.
      </PageHeading>
      {view.suites.length === 0 ? (
        <Notice title="No suites yet">
          <p>The worker adds the built-in suites when it starts.</p>
        </Notice>
      ) : (
        <PlanForm view={view} />
      )}
      <div id="estimate">
        {view.problems.length > 0 ? (
          <div className="mt-6" role="alert">
            <Notice title="Invalid plan">
              <ul className="space-y-1">
                {view.problems.map(({ field, message }) => (
                  <li className="untrusted" key={field}>
                    {visibleText(message)}
                  </li>
                ))}
              </ul>
            </Notice>
          </div>
        ) : null}
        {view.estimate ? (
          <PlanEstimate estimate={view.estimate} isNamed={isSubjectNamed(view.fields)} />
        ) : null}
      </div>
    </>
  )
}

async function TopUp({ query, rowId }: { query: Query; rowId: string }) {
  const perTask = [query.goal].flat()[0] === 'per-task'
  const goal = { kind: perTask ? 'per-task' : 'aggregate' } as const
  const view = await getTopUp(rowId, goal, new Date().toISOString())
  const trail = (
    <a className="link" href="/plan">
      Plan
    </a>
  )
  if (!view) {
    return (
      <>
        <PageHeading title="Top-up" trail={trail} />
        <Notice title="This entry is not on any leaderboard">
          <p>
            It may have been removed, or the link is wrong. Open an entry on the leaderboard
            instead.
          </p>
        </Notice>
      </>
    )
  }
  const title = (await listSuiteTitles()).get(view.suiteId) ?? view.suiteId
  return (
    <>
      <PageHeading title={`Top-up of ${visibleText(view.subjectLabel)}`} trail={trail}>
        What this entry on{' '}
        <a className="link" href={`/?suite=${encodeURIComponent(view.suiteId)}`}>
          {visibleText(title)}
        </a>{' '}
        still lacks, and nothing else.
      </PageHeading>
      {view.result.ok ? (
        <TopUpNow episodes={view.result.episodes} goal={goal.kind} rowId={rowId} />
      ) : null}
      <TopUpEstimate perTask={perTask} view={view} />
    </>
  )
}

/** The page is public; the launch button requires a signed-in administrator, and checks that again. */
async function TopUpNow({
  rowId,
  goal,
  episodes,
}: {
  rowId: string
  goal: string
  episodes: number
}) {
  const actor = await findActor(await headers())
  if (actor?.role !== 'admin') return null
  return (
    <ActionForm
      action={topUpRow}
      className="mb-5 flex flex-wrap items-center gap-x-4 gap-y-2"
      submit="Top up now"
    >
      <input name="rowId" type="hidden" value={rowId} />
      <input name="goal" type="hidden" value={goal} />
      <p className="order-last text-muted">
        Queues {countOf(episodes, 'episode')} on this server, as a separate run.
      </p>
    </ActionForm>
  )
}
