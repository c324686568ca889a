import Link from 'next/link'
import { visibleText } from '#components/format/visible-text.ts'
import { LiveRefresh } from '#components/ui/live-refresh.tsx'
import { ProgressBar } from '#components/ui/progress-bar.tsx'
import type { RunSummary } from '#lib/domain/views/run-view.ts'
import { RunStatusMark } from './run-status.tsx'
import { isActive, progressText } from './run-words.ts'

type ActiveRunsProps = { runs: readonly RunSummary[]; waiting: boolean }

/** The runs that go on right now; while there are any, or the page waits for the first, it refreshes itself. */
export function ActiveRuns({ runs, waiting }: ActiveRunsProps) {
  const active = runs.filter(isActive)
  return (
    <>
      <LiveRefresh active={waiting || active.length > 0} />
      {active.length > 0 ? (
        <ul
          aria-label="Active runs"
          className="mb-5 divide-y divide-line rounded border border-line bg-surface"
        >
          {active.map((run) => (
            <ActiveRun key={run.runId ?? run.jobId} run={run} />
          ))}
        </ul>
      ) : null}
    </>
  )
}

function ActiveRun({ run }: { run: RunSummary }) {
  const label = visibleText(run.subjectLabel)
  return (
    <li className="grid gap-x-4 gap-y-1 px-3 py-2 sm:grid-cols-[5.5rem_minmax(0,14rem)_1fr_max-content] sm:items-center">
      <RunStatusMark status={run.status} />
      <span className="untrusted truncate">
        {run.runId ? (
          <Link className="link" href={`/runs/${run.runId}`} prefetch={false}>
            {label}
          </Link>
        ) : (
          label
        )}
      </span>
      <ProgressBar done={run.sealed} label={`Sealed episodes of ${label}`} total={run.planned} />
      <span className="text-muted">{progressText(run)}</span>
    </li>
  )
}
