import { ActionForm } from '#components/form/action-form.tsx'
import { visibleText } from '#components/format/visible-text.ts'
import { Disclosure } from '#components/ui/disclosure.tsx'
import type { FormAction } from '#lib/domain/action-result.ts'
import { MOST_PRIORITY } from '#lib/domain/job-fields.ts'
import type { QueueJob } from '#lib/domain/views/queue-view.ts'

type ControlProps = { job: QueueJob; action: FormAction }

const nameOf = ({ subjectLabel, suiteId }: QueueJob) => `${visibleText(subjectLabel)} on ${suiteId}`

/** Cancels a job, after showing what is kept and what is dropped. */
export function CancelControl({ job, action }: ControlProps) {
  const { jobId, sealed, planned } = job
  const says =
    planned === 0
      ? 'The job has not started and leaves the queue.'
      : `Stops the job now: ${sealed} of ${planned} episodes are finished and kept, ${planned - sealed} will not run.`
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
          max={MOST_PRIORITY}
          min={-MOST_PRIORITY}
          name="priority"
          type="number"
        />
      </label>
    </ActionForm>
  )
}
