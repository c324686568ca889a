import type { Metadata } from 'next'
import {
  CancelControl,
  JobButton,
  PriorityControl,
  QueueTable,
  SlotFacts,
} from '#components/admin/queue.tsx'
import { progressText } from '#components/run/run-status.tsx'
import { formatDuration, formatInstant } from '#components/ui/format.ts'
import { PageHeading, Section } from '#components/ui/layout.tsx'
import { LiveRefresh, ReloadHint } from '#components/ui/live-refresh.tsx'
import { Notice } from '#components/ui/notice.tsx'
import type { QueueJob, QueueView, RunningJob, WaitingJob } from '#lib/domain/api/index.ts'
import { formatQueueWait } from '#lib/domain/runs/index.ts'
import { countOf } from '#lib/domain/text/index.ts'
import { showTo } from '#lib/server/accounts/show-to.ts'
import { guardPage } from '#lib/server/http/guard.ts'
import { getQueue } from '#lib/server/queue/get-queue.ts'
import { cancelQueued, moveToFront, resumeQueued, setPriority } from './actions.ts'

export const dynamic = 'force-dynamic'
export const metadata: Metadata = { title: 'Queue' }

/** The jobs of this server in their order, and why each one waits. */
export default async function QueuePage() {
  const actor = await guardPage()
  const view = await showTo(actor, await getQueue(new Date()))
  const { running, waiting, workersAlive } = view
  return (
    <>
      <LiveRefresh active={running.length + waiting.length > 0} />
      <PageHeading title="Queue">
        {countOf(running.length, 'job')} running, {waiting.length} waiting. Ordered by priority,
        then oldest first.{' '}
        {actor.role === 'admin' ? (
          <a className="link" href="/admin/launch">
            Launch a run
          </a>
        ) : null}
      </PageHeading>
      {running.length + waiting.length > 0 ? <ReloadHint /> : null}
      {workersAlive === 0 ? (
        <Notice title="No worker is running">
          <p>Jobs wait until a worker starts. Finished episodes stay.</p>
        </Notice>
      ) : null}
      <SlotFacts view={view} />
      <QueueSections mayChange={actor.role === 'admin'} view={view} />
    </>
  )
}

function QueueSections({ view, mayChange }: { view: QueueView; mayChange: boolean }) {
  const controls = <J,>(draw: (job: J) => React.ReactNode) =>
    mayChange ? { controls: draw } : undefined
  return (
    <>
      <Section id="running" title="Running">
        <QueueTable
          about={aboutRunning}
          aboutHead="Worker"
          prefix="running"
          jobs={view.running}
          label="Running jobs"
          none="No jobs are running."
          {...controls((job: RunningJob) =>
            job.isStopping ? null : <CancelControl action={cancelQueued} job={job} />,
          )}
        />
      </Section>
      <Section id="waiting" title="Waiting">
        <QueueTable
          about={(job) => aboutWaiting(job, view.workersAlive)}
          aboutHead="Waits for"
          prefix="waiting"
          jobs={view.waiting}
          label="Waiting jobs, in queue order"
          none="The queue is empty."
          {...controls(waitingControls)}
        />
      </Section>
      <Section id="ended" title="Finished in the last 24 h">
        <QueueTable
          about={(job) => `${progressText(job)}, finished ${formatInstant(job.endedAt)}`}
          aboutHead="Result"
          prefix="ended"
          jobs={view.ended}
          label="Finished jobs, newest first"
          none="No jobs finished in the last 24 hours."
          {...controls((job: QueueJob) =>
            job.status === 'done' ? null : (
              <JobButton action={resumeQueued} job={job} word="Resume" />
            ),
          )}
        />
      </Section>
    </>
  )
}

function waitingControls(job: WaitingJob) {
  if (job.isStopping) return null
  return (
    <>
      <PriorityControl action={setPriority} job={job} />
      <JobButton action={moveToFront} job={job} word="Move to front" />
      <CancelControl action={cancelQueued} job={job} />
    </>
  )
}

function aboutRunning(job: RunningJob): string {
  const worker = job.leaseOwner?.slice(0, 15) ?? 'no worker'
  const beat = job.beatMs === null ? 'no heartbeat' : `heartbeat ${formatDuration(job.beatMs)} ago`
  return `${worker}, ${beat}`
}

function aboutWaiting({ wait, isStopping }: WaitingJob, workersAlive: number): string {
  if (isStopping) return 'stopping'
  return workersAlive === 0 ? 'waiting for a worker' : formatQueueWait(wait)
}
