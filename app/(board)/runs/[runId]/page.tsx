import type { Metadata } from 'next'
import { headers } from 'next/headers'
import { notFound } from 'next/navigation'
import { cache } from 'react'
import { ArmEffects } from '#components/compare/arm-effects.tsx'
import { CorrectionBanner } from '#components/ledger/ledger-status.tsx'
import { ArmList } from '#components/run/arm-list.tsx'
import { EpisodesMatrix } from '#components/run/episodes-matrix.tsx'
import { FailureSummary } from '#components/run/failure-summary.tsx'
import { LiveFailures, LiveMatrix, LiveRunFeed, RunProgress } from '#components/run/live-run.tsx'
import { Machines } from '#components/run/machines.tsx'
import { OutcomeLegend } from '#components/run/outcome.tsx'
import { RunActions, RunNext } from '#components/run/run-actions.tsx'
import { RunEvidence, SubmittedBy } from '#components/run/run-facts.tsx'
import { RunLog } from '#components/run/run-log.tsx'
import { matrixPlan, PlanSections, RunHeading } from '#components/run/run-parts.tsx'
import { isActive, restOf } from '#components/run/run-status.tsx'
import { suiteTitle } from '#components/suite/suite-title.ts'
import { visibleText } from '#components/ui/format.ts'
import { Section } from '#components/ui/layout.tsx'
import type { RunLogTail, RunView } from '#lib/domain/api/index.ts'
import { formatTier, rowPreviewPath } from '#lib/domain/board/index.ts'
import { countOf } from '#lib/domain/text/index.ts'
import { findActor } from '#lib/server/accounts/auth.ts'
import { getComparison } from '#lib/server/board/compare.ts'
import { listSuiteTitles } from '#lib/server/board/suites.ts'
import { listCorrections } from '#lib/server/care/corrections.ts'
import { linkPreview } from '#lib/server/http/preview-image.ts'
import { getLaunchAgain } from '#lib/server/launch/get-launch.ts'
import { readRunState } from '#lib/server/live/run-state.ts'
import { readRunTail } from '#lib/server/live/run-tail.ts'
import { getRunOffers } from '#lib/server/queue/enqueue-plan.ts'
import { findOtherHost, getMachines } from '#lib/server/remote/machines.ts'
import { getRun, getSubmission } from '#lib/server/runs/runs.ts'
import { cancelRun, rerunExcluded, resumeRun, topUpRun } from './actions.ts'
import { Administer } from './administer.tsx'

export const dynamic = 'force-dynamic'

type RunPageProps = { params: Promise<{ runId: string }> }

const readRun = cache(getRun)
const readTitles = cache(listSuiteTitles)

/** The log of a run without output. */
const NO_TAIL = { lines: [], running: [], cursor: '0', eventsFrom: 0, cut: false }

export async function generateMetadata({ params }: RunPageProps): Promise<Metadata> {
  const { runId } = await params
  const run = await readRun(runId)
  if (!run) return { title: 'Not found' }
  const { row, solved, sealed, planned } = run
  const title = await titleOfSuite(run)
  const standing = row ? `, ${formatTier(row.label)}` : ''
  return linkPreview({
    title: `Run of ${visibleText(run.subjectLabel)}`,
    description: `${sealed}/${planned} finished, ${solved} solved on ${title}${standing}`,
    path: `/runs/${runId}`,
    picture: row && rowPreviewPath(row.rowId),
  })
}

/** One run: plan, progress, episodes, and how to reproduce it. */
export default async function RunPage({ params }: RunPageProps) {
  const { runId } = await params
  // Read first: later events are sent again by the event stream, which is harmless.
  const tail = await readRunTail(runId)
  const [run, state, submission] = await Promise.all([
    readRun(runId),
    readRunState(runId),
    getSubmission(runId),
  ])
  if (!run || !state) return notFound()
  const live = isActive(run)
  const title = await titleOfSuite(run)
  const machines = await getMachines(runId)
  return (
    <LiveRunFeed key={run.runId} runId={run.runId} state={state} {...feedOf(run, tail)}>
      <RunHeading run={run} suiteTitle={title} />
      <CorrectionBanner corrections={await listCorrections([run.runId])} />
      <RunProgress />
      <RunNext run={run} suiteTitle={title} />
      <AdminActions run={run} />
      {machines ? (
        <Section aside={machines.title} id="machines" title="Machines">
          <Machines live={live} view={machines} />
        </Section>
      ) : null}
      <Arms run={run} />
      <Failures run={run} />
      <Section aside={<OutcomeLegend rest={restOf(run)} />} id="episodes" title="Episodes">
        <Episodes run={run} />
      </Section>
      {tail || live ? <Log runId={run.runId} tail={tail} /> : null}
      <Section id="evidence" title="Evidence">
        <RunEvidence run={run} />
        {submission ? <SubmittedBy submission={submission} /> : null}
      </Section>
      <Administer episodeId={null} runId={run.runId} />
      <PlanSections run={run} suiteTitle={title} />
    </LiveRunFeed>
  )
}

/** The event stream of the page; none once the run has ended. */
function feedOf(run: RunView, tail: RunLogTail | null) {
  if (!isActive(run)) return { episodes: [], running: [], from: null, isElsewhere: false }
  const { running, eventsFrom: from } = tail ?? { running: [], eventsFrom: 0 }
  return { episodes: run.episodes, running, from, isElsewhere: tail === null }
}

/** The log of a run. While it runs, only the worker's machine has it. */
async function Log({ runId, tail }: { runId: string; tail: RunLogTail | null }) {
  const host = tail ? null : await findOtherHost(runId)
  return (
    <Section id="log" title="Log">
      {host ? (
        <p className="text-muted">
          This run is on the machine <code>{visibleText(host)}</code>, and so is its log. Episodes
          appear here as they finish.
        </p>
      ) : (
        <RunLog runId={runId} tail={tail ?? NO_TAIL} />
      )}
    </Section>
  )
}

/** Actions for administrators; each action checks the role again. */
async function AdminActions({ run }: { run: RunView }) {
  const actor = await findActor(await headers())
  if (actor?.role !== 'admin') return null
  return (
    <RunActions
      actions={{ cancel: cancelRun, resume: resumeRun, topUp: topUpRun, rerun: rerunExcluded }}
      again={await getLaunchAgain(run.plan)}
      offers={await getRunOffers(run, new Date())}
      runId={run.runId}
    />
  )
}

async function titleOfSuite({ suiteId }: Pick<RunView, 'suiteId'>): Promise<string> {
  return suiteTitle(await readTitles(), suiteId)
}

/** Each arm against the baseline, from the entries on the board. */
async function Arms({ run }: { run: RunView }) {
  const { plan, armRows = [], armCounts = [], suiteId } = run
  if (!plan.arms) return null
  const rowIds = armRows.map(({ rowId }) => rowId)
  const compared = isActive(run) || rowIds.length < 2 ? null : await getComparison(rowIds)
  const effects = compared?.ok ? compared.arms : undefined
  return (
    <Section aside={countOf(plan.arms.length, 'arm')} id="arms" title="Arms">
      {effects ? (
        <div className="mb-4">
          <ArmEffects arms={effects} />
        </div>
      ) : null}
      <ArmList arms={plan.arms} counts={armCounts} rows={armRows} suiteId={suiteId} />
    </Section>
  )
}

function Failures({ run: { plan, episodes, status } }: { run: RunView }) {
  if (!isActive({ status })) return <FailureSummary episodes={episodes} plan={matrixPlan(plan)} />
  return <LiveFailures plan={matrixPlan(plan)} />
}

/** The plan's tasks are sent to the browser only while the run is active. */
function Episodes({ run }: { run: RunView }) {
  const plan = matrixPlan(run.plan)
  if (isActive(run)) return <LiveMatrix plan={plan} />
  return <EpisodesMatrix episodes={run.episodes} plan={plan} rest={restOf(run)} />
}
