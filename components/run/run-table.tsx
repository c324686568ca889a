import type { RunSummary } from '#lib/domain/api/index.ts'
import { type SuiteTitles, suiteTitle } from '../suite/suite-title.ts'
import { Table } from '../table/table.tsx'
import { countColumn, durationColumn } from '../ui/columns.tsx'
import type { DataColumn } from '../ui/data-column.ts'
import { elapsedMs, formatCount, formatInstant, UNKNOWN, visibleText } from '../ui/format.ts'
import { RUN_STATUS_LABELS, RunStatusMark } from './run-status.tsx'

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
    sort: ({ sealed, cancelled, owed }) => (owed === 0 ? null : sealed - cancelled),
    descends: true,
    cell: ({ sealed, cancelled, owed }) =>
      owed === 0 ? UNKNOWN : `${formatCount(sealed - cancelled)} of ${formatCount(owed)}`,
    numeric: true,
    cellClass: 'md:whitespace-nowrap',
  },
  countColumn('Solved', ({ solved }) => solved, { cellClass: 'md:whitespace-nowrap' }),
  countColumn('Excluded', ({ voidAttempts }) => voidAttempts, {
    cellClass: 'md:whitespace-nowrap',
  }),
  {
    head: 'Started',
    sort: ({ startedAt }) => startedAt,
    descends: true,
    cell: ({ startedAt }) => <span className="whitespace-nowrap">{formatInstant(startedAt)}</span>,
    cellClass: 'col-span-2',
  },
  durationColumn('Duration', ({ startedAt, endedAt }) => elapsedMs(startedAt, endedAt), {
    descends: true,
    cellClass: 'md:whitespace-nowrap',
  }),
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
