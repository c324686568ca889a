import Link from 'next/link'
import type { ReactNode } from 'react'
import type { RunSummary } from '#lib/domain/api/run-view.ts'
import { classNames } from '../ui/class-names.ts'
import { ArrowKeys, LiveRefresh } from '../ui/controls.tsx'
import { elapsedMs, formatCount, formatDuration, formatInstant, visibleText } from '../ui/format.ts'
import { ProgressBar } from '../ui/layout.tsx'
import { isActive, progressText, RunStatusMark } from './run-status.tsx'

const HEAD = [
  'Entry',
  'Suite',
  'Status',
  'Finished',
  'Solved',
  'Excluded',
  'Started',
  'Duration',
] as const
const NUMERIC = new Set<string>(['Finished', 'Solved', 'Excluded', 'Duration'])

/** Runs, newest first: lines on a wide screen, cards on a narrow one. */
export function RunTable({ runs }: { runs: readonly RunSummary[] }) {
  return (
    <ArrowKeys>
      <table className="block w-full border-line border-b md:table">
        <caption className="sr-only">Runs, newest first</caption>
        <thead className="sr-only md:not-sr-only md:sticky md:top-0 md:z-10 md:table-header-group">
          <tr>
            {HEAD.map((name) => (
              <th
                className={`h-9 border-line-strong border-b bg-bg px-2.5 font-normal text-muted text-xs ${NUMERIC.has(name) ? 'text-right' : 'text-left'}`}
                key={name}
                scope="col"
              >
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody className="block md:table-row-group">
          {runs.map((run) => (
            <RunLine key={run.runId ?? run.jobId} run={run} />
          ))}
        </tbody>
      </table>
    </ArrowKeys>
  )
}

function RunLine({ run }: { run: RunSummary }) {
  const label = visibleText(run.subjectLabel)
  const cells: Record<(typeof HEAD)[number], ReactNode> = {
    Entry: run.runId ? (
      <Link className="link font-medium" href={`/runs/${run.runId}`} prefetch={false}>
        {label}
      </Link>
    ) : (
      label
    ),
    Suite: (
      <Link className="link" href={`/suites/${run.suiteId}`} prefetch={false}>
        {run.suiteId}
      </Link>
    ),
    Status: <RunStatusMark status={run.status} />,
    Finished: `${formatCount(run.sealed)} of ${formatCount(run.planned)}`,
    Solved: formatCount(run.solved),
    Excluded: formatCount(run.voidAttempts),
    Started: <span className="whitespace-nowrap">{formatInstant(run.startedAt)}</span>,
    Duration: formatDuration(elapsedMs(run.startedAt, run.endedAt)),
  }
  return (
    <tr
      className="grid grid-cols-3 gap-x-3 gap-y-1.5 border-line border-t py-3 md:table-row"
      data-row={run.runId ?? run.jobId}
    >
      {HEAD.map((name) => (
        <td
          className={classNames(
            'block min-w-0 md:table-cell md:h-9 md:px-2.5',
            CARD_SPANS[name],
            NUMERIC.has(name) && 'md:whitespace-nowrap md:text-right',
          )}
          key={name}
        >
          <span aria-hidden="true" className="block text-muted text-xs md:hidden">
            {name}
          </span>
          <span className="untrusted">{cells[name]}</span>
          {name === 'Status' && run.reason ? (
            <span className="untrusted ml-2 text-muted">{visibleText(run.reason)}</span>
          ) : null}
        </td>
      ))}
    </tr>
  )
}

const CARD_SPANS: Partial<Record<(typeof HEAD)[number], string>> = {
  Entry: 'col-span-3',
  Status: 'col-span-2',
  Started: 'col-span-2',
}

type ActiveRunsProps = { runs: readonly RunSummary[]; waiting: boolean }

/** Active runs; the page refreshes while there are any, or while it waits for the first. */
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
      <ProgressBar done={run.sealed} label={`Finished episodes of ${label}`} total={run.planned} />
      <span className="text-muted">{progressText(run)}</span>
    </li>
  )
}
