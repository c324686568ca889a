import type { ReactNode } from 'react'
import type { FormAction, QueueJob, QueueView } from '#lib/domain/api/index.ts'
import { countOf } from '#lib/domain/record/index.ts'
import { MAX_PRIORITY } from '#lib/domain/runs/index.ts'
import { RunStatusMark } from '../run/run-status.tsx'
import { ActionForm } from '../ui/form.tsx'
import { formatCount, formatInstant, visibleText } from '../ui/format.ts'
import { Disclosure, ProgressBar } from '../ui/layout.tsx'

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

function JobName({ job }: { job: QueueJob }) {
  const { runId, jobId } = job
  const name = nameOf(job)
  return runId === null ? (
    <span className="untrusted font-medium" title={jobId}>
      {name}
    </span>
  ) : (
    <a className="link untrusted font-medium" href={`/runs/${runId}`}>
      {name}
    </a>
  )
}

function JobOrder({ job }: { job: QueueJob }) {
  const { slots, provider, requestedBy, createdAt } = job
  const by = requestedBy === null ? '' : ` by ${visibleText(requestedBy)}`
  const at = provider === null ? '' : ` at ${visibleText(provider)}`
  return (
    <>
      {countOf(slots, 'slot')}
      {at}, queued{by} {formatInstant(createdAt)}
    </>
  )
}

/** Used and available slots of the machine and of each provider. */
export function SlotFacts({ view }: { view: Pick<QueueView, 'machine' | 'providers'> }) {
  const uses = [
    { name: 'Machine', ...view.machine },
    ...view.providers.map(({ provider, ...use }) => ({ name: visibleText(provider), ...use })),
  ]
  return (
    <ul className="grid gap-x-6 gap-y-3 sm:grid-cols-2 lg:grid-cols-4">
      {uses.map(({ name, used, limit }) => (
        <li className="min-w-0" key={name}>
          <p className="mb-1 flex justify-between gap-3">
            <span className="untrusted">{name}</span>
            <span className="text-muted">
              {limit === null
                ? `${countOf(used, 'slot')}, no limit`
                : `${formatCount(used)} of ${countOf(limit, 'slot')}`}
            </span>
          </p>
          {limit === null ? null : (
            <ProgressBar done={used} label={`Slots in use: ${name}`} total={limit} />
          )}
        </li>
      ))}
    </ul>
  )
}

type ControlProps = { job: QueueJob; action: FormAction }

const nameOf = ({ subjectLabel, suiteTitle }: QueueJob) =>
  visibleText(`${subjectLabel} on ${suiteTitle}`)

/** Cancels a job, after showing what stays and what is dropped. */
export function CancelControl({ job, action }: ControlProps) {
  const { jobId, sealed, planned } = job
  const says =
    planned === 0
      ? 'The job has not started and leaves the queue.'
      : `Stops the job now: ${sealed} of ${countOf(planned, 'episode')} finished and kept, ${planned - sealed} will not run.`
  return (
    <Disclosure label={`Cancel ${nameOf(job)}`} word="Cancel…">
      <p>{says}</p>
      <ActionForm action={action} className="space-y-2" submit="Cancel job">
        <input name="jobId" type="hidden" value={jobId} />
      </ActionForm>
    </Disclosure>
  )
}

/** A button that changes a job. */
export function JobButton({ job, action, word }: ControlProps & { word: string }) {
  return (
    <ActionForm
      action={action}
      className="space-y-1"
      label={`${word}: ${nameOf(job)}`}
      submit={word}
    >
      <input name="jobId" type="hidden" value={job.jobId} />
    </ActionForm>
  )
}

/** The priority that orders the waiting jobs. */
export function PriorityControl({ job, action }: ControlProps) {
  return (
    <ActionForm
      action={action}
      className="flex flex-wrap items-center gap-1"
      label={`Set the priority of ${nameOf(job)}`}
      submit="Set"
    >
      <input name="jobId" type="hidden" value={job.jobId} />
      <label className="flex items-center gap-1.5 text-muted">
        Priority
        <input
          className="h-8 w-20 rounded border border-line-strong bg-surface px-2 text-ink"
          defaultValue={job.priority}
          inputMode="numeric"
          key={job.priority}
          max={MAX_PRIORITY}
          min={-MAX_PRIORITY}
          name="priority"
          type="number"
        />
      </label>
    </ActionForm>
  )
}
