import type { RunSummary } from '#lib/domain/api/index.ts'
import { elapsedMs, formatCount, formatDuration, visibleText } from '../ui/format.ts'
import { ProgressBar } from '../ui/layout.tsx'
import { LiveRefresh, ReloadHint } from '../ui/live-refresh.tsx'
import { isActive, progressText, RunStatusMark } from './run-status.tsx'

type ActiveRunsProps = {
  runs: readonly RunSummary[]
  /** The page waits for its first row. */
  waiting: boolean
  /** No attempt is finished yet. */
  isFresh: boolean
}

/** Active runs; the page refreshes while there are any, or while it waits for the first. */
export function ActiveRuns({ runs, waiting, isFresh }: ActiveRunsProps) {
  const active = runs.filter(isActive)
  return (
    <>
      <LiveRefresh active={waiting || active.length > 0} />
      {waiting || active.length > 0 ? <ReloadHint /> : null}
      {isFresh && active.length > 0 ? <RunningWork active={active} /> : null}
      {!isFresh && active.length > 0 ? (
        <details className="mb-5 w-fit max-w-full">
          <summary className="inline-flex h-8 cursor-pointer items-center gap-2 rounded-full border border-line bg-surface px-3 hover:border-line-strong">
            <span aria-hidden="true" className="size-2 rounded-full bg-accent" />
            {formatActive(active)}
          </summary>
          <ul
            aria-label="Active runs"
            className="mt-2 divide-y divide-line rounded border border-line bg-surface"
          >
            {active.map((run) => (
              <ActiveRun key={run.runId ?? run.jobId} run={run} />
            ))}
          </ul>
        </details>
      ) : null}
    </>
  )
}

/** `1 running, 2 queued`. */
function formatActive(active: readonly RunSummary[]): string {
  const running = active.filter(({ status }) => status === 'running').length
  const rest = active.length - running
  return [running > 0 ? `${running} running` : '', rest > 0 ? `${rest} queued` : '']
    .filter(Boolean)
    .join(', ')
}

/** Shown until something is measured: progress and remaining time of the active runs. */
function RunningWork({ active }: { active: readonly RunSummary[] }) {
  const running = active.filter(({ status }) => status === 'running')
  const queued = active.filter(({ status }) => status === 'queued')
  return (
    <section
      aria-labelledby="running-work"
      className="mb-6 rounded-lg border border-line-strong bg-surface px-5 py-4"
    >
      <h2 className="font-semibold text-base" id="running-work">
        {running.length > 0 ? 'Measuring now' : 'Waiting for a worker'}
      </h2>
      <ul aria-label="Active runs" className="mt-2 space-y-4">
        {running.map((run) => (
          <li key={run.runId ?? run.jobId}>
            <p className="flex flex-wrap items-baseline gap-x-3 text-lg">
              <span className="font-semibold">
                <RunLink run={run} />
              </span>
              <span>
                {formatCount(run.sealed - run.cancelled)} of {formatCount(run.planned)}
              </span>
              <span className="text-muted">{formatLeft(run)}</span>
            </p>
            <ProgressBar
              done={run.sealed - run.cancelled}
              label={`Finished episodes of ${visibleText(run.subjectLabel)}`}
              total={run.planned}
            />
          </li>
        ))}
      </ul>
      {queued.length > 0 ? (
        <p className="untrusted mt-3 text-muted">
          Then {queued.map(({ subjectLabel }) => visibleText(subjectLabel)).join(', ')}.
        </p>
      ) : null}
    </section>
  )
}

/** An estimate from fewer episodes would be a guess. */
const MIN_FINISHED = 3

/** Estimates from the finished episodes: `about 2 min left`. */
function formatLeft({ startedAt, sealed, cancelled, planned }: RunSummary): string {
  const done = sealed - cancelled
  const elapsed = elapsedMs(startedAt, new Date().toISOString())
  if (elapsed === null || done < MIN_FINISHED) return ''
  return `about ${formatDuration((elapsed / done) * (planned - done))} left`
}

function RunLink({ run }: { run: RunSummary }) {
  const label = visibleText(run.subjectLabel)
  return (
    <span className="untrusted">
      {run.runId ? (
        <a className="link" href={`/runs/${run.runId}`}>
          {label}
        </a>
      ) : (
        label
      )}
    </span>
  )
}

function ActiveRun({ run }: { run: RunSummary }) {
  return (
    <li className="grid gap-x-4 gap-y-1 px-3 py-2 sm:grid-cols-[5.5rem_minmax(0,14rem)_1fr_max-content] sm:items-center">
      <RunStatusMark status={run.status} />
      <span className="truncate">
        <RunLink run={run} />
      </span>
      <ProgressBar
        done={run.sealed - run.cancelled}
        label={`Finished episodes of ${visibleText(run.subjectLabel)}`}
        total={run.planned}
      />
      <span className="text-muted">{progressText(run)}</span>
    </li>
  )
}
