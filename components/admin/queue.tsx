import type { ReactNode } from 'react'
import type { FormAction, QueueJob, QueueView } from '#lib/domain/api/index.ts'
import { MAX_PRIORITY } from '#lib/domain/runs/index.ts'
import { countOf } from '#lib/domain/text/index.ts'
import { RunStatusMark } from '../run/run-status.tsx'
import { Table } from '../table/table.tsx'
import type { DataColumn } from '../ui/data-column.ts'
import { ActionForm } from '../ui/form.tsx'
import { formatCount, formatInstant, visibleText } from '../ui/format.ts'
import { Disclosure, ProgressBar } from '../ui/layout.tsx'
import { LINES } from '../ui/plain-table.tsx'

type QueueTableProps<J extends QueueJob> = {
  label: string
  /** Prefix of the table's parameters in the URL. */
  prefix: string
  jobs: readonly J[]
  /** Shown instead of an empty table. */
  none: string
  /** Heading of the `about` column. */
  aboutHead: string
  about: (job: J) => string
  controls?: (job: J) => ReactNode
}

/** Jobs in order: what runs, its progress, why it waits, and the available actions. */
export function QueueTable<J extends QueueJob>(props: QueueTableProps<J>) {
  const { label, prefix, jobs, none, aboutHead, about, controls } = props
  if (jobs.length === 0) return <p className="text-muted">{none}</p>
  const columns: DataColumn<J>[] = [
    JOB_COLUMN,
    {
      head: 'Status',
      sort: ({ status }) => status,
      cell: ({ status, reason }) => (
        <>
          <RunStatusMark status={status} />
          {reason ? <span className="block text-muted">{visibleText(reason)}</span> : null}
        </>
      ),
      cellClass: 'untrusted',
    },
    PROGRESS_COLUMN,
    { head: aboutHead, csv: about, cell: about, cellClass: 'untrusted col-span-2' },
    SLOTS_COLUMN,
    QUEUED_COLUMN,
  ]
  if (controls)
    columns.push({
      id: 'actions',
      head: <span className="sr-only">Actions</span>,
      name: 'Actions',
      isFixed: true,
      csv: null,
      label: null,
      cell: (job) => <div className="flex flex-wrap items-start gap-2">{controls(job)}</div>,
      cellClass: 'col-span-2',
    })
  return (
    <Table
      {...LINES}
      caption={label}
      columns={columns}
      keyOf={({ jobId, runId }) => jobId ?? runId ?? ''}
      name={`queue-${prefix}`}
      prefix={prefix}
      rowProps={({ jobId }) => ({
        className: 'grid-cols-2 gap-x-3 gap-y-1.5 border-line border-t py-3',
        'data-job': jobId,
        'data-row': jobId,
      })}
      rows={jobs}
      what="job"
    />
  )
}

const JOB_COLUMN: DataColumn<QueueJob> = {
  head: 'Job',
  sort: nameOf,
  cell: (job) => <JobName job={job} />,
  cellClass: 'col-span-2',
}

const PROGRESS_COLUMN: DataColumn<QueueJob> = {
  head: 'Finished',
  csv: ({ sealed, cancelled, owed }) => `${sealed - cancelled}/${owed}`,
  cell: ({ owed, sealed, cancelled, ...job }) =>
    owed === 0 ? (
      <span className="text-muted">not started</span>
    ) : (
      <div className="flex items-center gap-2">
        <ProgressBar
          done={sealed - cancelled}
          label={`Finished episodes of ${nameOf(job)}`}
          total={owed}
        />
        <span className="whitespace-nowrap">
          {formatCount(sealed - cancelled)} of {formatCount(owed)}
        </span>
      </div>
    ),
  cellClass: 'md:min-w-40',
}

const SLOTS_COLUMN: DataColumn<QueueJob> = {
  head: 'Slots',
  sort: ({ slots }) => slots,
  cell: ({ slots, provider }) =>
    provider === null ? slots : `${slots} at ${visibleText(provider)}`,
  cellClass: 'untrusted',
}

const QUEUED_COLUMN: DataColumn<QueueJob> = {
  head: 'Queued',
  sort: ({ createdAt }) => createdAt,
  cell: ({ createdAt, requestedBy }) => (
    <>
      <span className="whitespace-nowrap">{formatInstant(createdAt)}</span>
      {requestedBy === null ? null : (
        <span className="block text-muted">by {visibleText(requestedBy)}</span>
      )}
    </>
  ),
  cellClass: 'untrusted',
}

function JobName({ job }: { job: QueueJob }) {
  const { runId, jobId } = job
  const name = nameOf(job)
  return runId === null ? (
    <span className="untrusted font-medium" title={jobId ?? undefined}>
      {name}
    </span>
  ) : (
    <a className="link untrusted font-medium" href={`/runs/${runId}`}>
      {name}
    </a>
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

function nameOf({
  subjectLabel,
  suiteTitle,
}: Pick<QueueJob, 'subjectLabel' | 'suiteTitle'>): string {
  return visibleText(`${subjectLabel} on ${suiteTitle}`)
}

/** Cancels a job, after showing what is kept and what is lost. */
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

/** The priority that orders queued jobs. */
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
