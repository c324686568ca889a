import type { RunSummary } from '#lib/domain/api/index.ts'
import { type SuiteTitles, suiteTitle } from '../suite/suite-title.ts'
import { Table } from '../table/table.tsx'
import type { DataColumn } from '../ui/data-column.ts'
import {
  elapsedMs,
  formatCount,
  formatDuration,
  formatInstant,
  UNKNOWN,
  visibleText,
} from '../ui/format.ts'
import { ProgressBar } from '../ui/layout.tsx'
import { LiveRefresh, ReloadHint } from '../ui/live-refresh.tsx'
import { isActive, progressText, RUN_STATUS_LABELS, RunStatusMark } from './run-status.tsx'

type ListedRun = RunSummary & { suiteTitle: string }

const RUN_COLUMNS: readonly DataColumn<ListedRun>[] = [
  {
    head: 'Entry',
    cell: ({ runId, subjectLabel, condition }) => (
      <span className="untrusted">
        {runId ? (
          <a className="font-medium hover:underline" href={`/runs/${runId}`}>
            {visibleText(subjectLabel)}
          </a>
        ) : (
          visibleText(subjectLabel)
        )}
        {condition ? <span className="text-muted"> · {visibleText(condition)}</span> : null}
      </span>
    ),
    sort: ({ subjectLabel, condition }) => [subjectLabel, condition].filter(Boolean).join(' · '),
    cellClass: 'col-span-3',
  },
  {
    head: 'Suite',
    sort: ({ suiteTitle }) => suiteTitle,
    facet: ({ suiteTitle }) => suiteTitle,
    cell: ({ suiteId, suiteTitle }) => (
      <span className="untrusted">
        <a className="hover:underline" href={`/suites/${suiteId}`}>
          {suiteTitle}
        </a>
      </span>
    ),
  },
  {
    head: 'Status',
    sort: ({ status }) => RUN_STATUS_LABELS[status].word,
    facet: ({ status }) => RUN_STATUS_LABELS[status].word,
    cell: ({ status, reason }) => (
      <>
        <RunStatusMark status={status} />
        {reason ? <span className="untrusted ml-2 text-muted">{visibleText(reason)}</span> : null}
      </>
    ),
    cellClass: 'col-span-2',
  },
  {
    head: 'Finished',
    sort: ({ sealed, cancelled, planned }) => (planned === 0 ? null : sealed - cancelled),
    descends: true,
    cell: ({ sealed, cancelled, planned }) =>
      planned === 0 ? UNKNOWN : `${formatCount(sealed - cancelled)} of ${formatCount(planned)}`,
    numeric: true,
    cellClass: 'md:whitespace-nowrap',
  },
  {
    head: 'Solved',
    sort: ({ solved }) => solved,
    descends: true,
    cell: ({ solved }) => formatCount(solved),
    numeric: true,
    cellClass: 'md:whitespace-nowrap',
  },
  {
    head: 'Excluded',
    sort: ({ voidAttempts }) => voidAttempts,
    descends: true,
    cell: ({ voidAttempts }) => formatCount(voidAttempts),
    numeric: true,
    cellClass: 'md:whitespace-nowrap',
  },
  {
    head: 'Started',
    sort: ({ startedAt }) => startedAt,
    descends: true,
    cell: ({ startedAt }) => <span className="whitespace-nowrap">{formatInstant(startedAt)}</span>,
    cellClass: 'col-span-2',
  },
  {
    head: 'Duration',
    name: 'Duration, ms',
    sort: ({ startedAt, endedAt }) => elapsedMs(startedAt, endedAt),
    descends: true,
    cell: ({ startedAt, endedAt }) => formatDuration(elapsedMs(startedAt, endedAt)),
    numeric: true,
    cellClass: 'md:whitespace-nowrap',
  },
]

type RunTableProps = { runs: readonly RunSummary[]; titles: SuiteTitles }

/** Runs, newest first: lines on a wide screen, cards on a narrow one. */
export function RunTable({ runs, titles }: RunTableProps) {
  return (
    <Table
      caption="Runs, newest first"
      cards="md"
      cellClass="md:h-9 md:px-2.5 md:py-1"
      columns={RUN_COLUMNS}
      headClass="h-9 border-line-strong border-b bg-bg px-2.5 text-muted text-xs"
      keyOf={({ runId, jobId }) => runId ?? jobId ?? ''}
      name="runs"
      rowProps={({ runId, jobId }) => ({
        className: 'grid-cols-3 gap-x-3 gap-y-1.5 border-line border-t py-3',
        'data-row': runId ?? jobId,
      })}
      rows={runs.map((run) => ({ ...run, suiteTitle: suiteTitle(titles, run.suiteId) }))}
      stickyHead
      what="run"
    />
  )
}

type ActiveRunsProps = { runs: readonly RunSummary[]; waiting: boolean }

/** Active runs; the page refreshes while there are any, or while it waits for the first. */
export function ActiveRuns({ runs, waiting }: ActiveRunsProps) {
  const active = runs.filter(isActive)
  return (
    <>
      <LiveRefresh active={waiting || active.length > 0} />
      {waiting || active.length > 0 ? <ReloadHint /> : null}
      {active.length > 0 ? (
        <details className="mb-5 w-fit max-w-full" open={waiting}>
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

function ActiveRun({ run }: { run: RunSummary }) {
  const label = visibleText(run.subjectLabel)
  return (
    <li className="grid gap-x-4 gap-y-1 px-3 py-2 sm:grid-cols-[5.5rem_minmax(0,14rem)_1fr_max-content] sm:items-center">
      <RunStatusMark status={run.status} />
      <span className="untrusted truncate">
        {run.runId ? (
          <a className="link" href={`/runs/${run.runId}`}>
            {label}
          </a>
        ) : (
          label
        )}
      </span>
      <ProgressBar
        done={run.sealed - run.cancelled}
        label={`Finished episodes of ${label}`}
        total={run.planned}
      />
      <span className="text-muted">{progressText(run)}</span>
    </li>
  )
}
