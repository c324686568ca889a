import Link from 'next/link'
import type { ReactNode } from 'react'
import { formatCount } from '#components/format/number.ts'
import { formatInstant } from '#components/format/time.ts'
import { visibleText } from '#components/format/visible-text.ts'
import { RunStatusMark } from '#components/run/run-status.tsx'
import type { QueueJob } from '#lib/domain/views/queue-view.ts'

type QueueListProps<J extends QueueJob> = {
  label: string
  jobs: readonly J[]
  /** The text of the empty list. */
  none: string
  about: (job: J) => ReactNode
  controls?: (job: J) => ReactNode
}

/** A list of jobs in order: name, state and actions. */
export function QueueList<J extends QueueJob>(props: QueueListProps<J>) {
  const { label, jobs, none, about, controls } = props
  if (jobs.length === 0) return <p className="text-muted">{none}</p>
  return (
    <ol aria-label={label} className="border-line border-b">
      {jobs.map((job) => (
        <li
          className="flex flex-wrap items-start justify-between gap-x-6 gap-y-2 border-line border-t py-2"
          data-job={job.jobId}
          key={job.jobId}
        >
          <div className="min-w-0 flex-1 basis-72">
            <p className="flex flex-wrap items-baseline gap-x-3">
              <JobName job={job} />
              <RunStatusMark status={job.status} />
            </p>
            <p className="untrusted text-muted">
              {about(job)}; <JobOrder job={job} />
            </p>
            {job.reason ? <p className="untrusted text-muted">{visibleText(job.reason)}</p> : null}
          </div>
          {controls ? (
            <div className="flex flex-wrap items-start gap-2">{controls(job)}</div>
          ) : null}
        </li>
      ))}
    </ol>
  )
}

function JobName({ job: { runId, jobId, subjectLabel, suiteId } }: { job: QueueJob }) {
  const name = `${visibleText(subjectLabel)} on ${suiteId}`
  return runId === null ? (
    <span className="untrusted font-medium" title={jobId}>
      {name}
    </span>
  ) : (
    <Link className="link untrusted font-medium" href={`/runs/${runId}`} prefetch={false}>
      {name}
    </Link>
  )
}

function JobOrder({ job }: { job: QueueJob }) {
  const { slots, provider, requestedBy, createdAt } = job
  const by = requestedBy === null ? '' : ` by ${visibleText(requestedBy)}`
  const at = provider === null ? '' : ` at ${visibleText(provider)}`
  return (
    <>
      {formatCount(slots)} {slots === 1 ? 'slot' : 'slots'}
      {at}, queued{by} {formatInstant(createdAt)}
    </>
  )
}
