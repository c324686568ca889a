import Link from 'next/link'
import type { NamedKind, NamedRow, NamedRows } from '#lib/domain/api/index.ts'
import { EVIDENCE_WORDS, formatShape, rankPoolOf, rowPath } from '#lib/domain/board/index.ts'
import { formatWay } from '#lib/domain/tasks/index.ts'
import { FigureView } from '../charts/figure-view.tsx'
import { historyFigure } from '../charts/history-figure.ts'
import { Whisker } from '../charts/whisker.tsx'
import { FeedLink } from '../ui/feed-links.tsx'
import {
  formatCount,
  formatDay,
  formatDuration,
  formatPercent,
  formatRate,
  plural,
  UNKNOWN,
  visibleText,
} from '../ui/format.ts'
import { PageHeading, ProgressBar, Section } from '../ui/layout.tsx'
import { type DataColumn, DataTable } from '../ui/table.tsx'
import { EvidenceGlyph } from './evidence.tsx'
import { NamedCharts } from './named-charts.tsx'
import { costCell } from './row-cells.tsx'

type NamedRowsPageProps = { kind: NamedKind; found: NamedRows }

/** Everything measured of one agent or library, or with one model: entries, categories, failures, history, runs. */
export function NamedRowsPage({ kind, found: { name, rows, outcomes } }: NamedRowsPageProps) {
  const current = rows.filter(({ isCurrent }) => isCurrent)
  const suites = [...new Set(rows.map(({ row }) => row.suiteId))]
  return (
    <>
      <PageHeading
        title={visibleText(name)}
        trail={
          <Link className="link" href="/" prefetch={false}>
            Leaderboard
          </Link>
        }
      >
        {kindWord(kind, rows)} · {plural(current.length, 'current entry', 'current entries')} on{' '}
        {plural(suites.length, 'suite')} ·{' '}
        {plural(
          rows.reduce((sum, { row }) => sum + row.success.attempts, 0),
          'scored episode',
        )}
        {kind === 'agent' ? <FeedLink agent={name} /> : null}
      </PageHeading>
      <Section id="entries" title="Entries">
        <EntryTable kind={kind} rows={rows} />
      </Section>
      {suites.map((suiteId) => (
        <SuiteHistory
          key={suiteId}
          kind={kind}
          rows={rows.filter(({ row }) => row.suiteId === suiteId)}
        />
      ))}
      <NamedCharts rows={current} />
      <Categories rows={current} />
      <Outcomes outcomes={outcomes} />
      <Runs rows={rows} />
    </>
  )
}

function kindWord(kind: NamedKind, rows: readonly NamedRow[]): string {
  if (kind === 'model') return 'Model'
  const first = rows[0]?.row.subject.kind
  return first === 'library' ? 'Browser library' : first === 'control' ? 'Control' : 'Agent'
}

type EntryTableProps = { kind: NamedKind; rows: readonly NamedRow[] }

function EntryTable({ kind, rows }: EntryTableProps) {
  const other: DataColumn<NamedRow> =
    kind === 'model'
      ? {
          head: 'Agent',
          cell: ({ row }) => (
            <Link
              className="untrusted font-semibold hover:underline"
              href={`/agents/${encodeURIComponent(row.subject.name)}`}
              prefetch={false}
            >
              {visibleText(row.subject.name)}
            </Link>
          ),
        }
      : { head: 'Model', cell: ({ row }) => <ModelLink row={row} /> }
  return (
    <DataTable
      cards="lg"
      cellClass="lg:px-2.5 lg:py-2"
      className="w-full border-line border-b bg-surface"
      headClass="border-line border-b px-2.5 py-2 text-muted text-xs"
      columns={[SUITE_COLUMN, other, ...ENTRY_COLUMNS]}
      keyOf={({ row }) => `${row.suiteDigest} ${row.rowId}`}
      rowProps={() => ({
        className: 'grid-cols-3 gap-x-3 gap-y-1.5 border-line border-t px-3 py-3',
      })}
      rows={rows}
    />
  )
}

function ModelLink({ row }: Pick<NamedRow, 'row'>) {
  const model = row.subject.modelRequested
  if (model === null) return <span className="text-muted">{formatWay(row) ?? UNKNOWN}</span>
  return (
    <Link
      className="untrusted hover:underline"
      href={`/models/${encodeURIComponent(model)}`}
      prefetch={false}
    >
      {visibleText(model)}
    </Link>
  )
}

const SUITE_COLUMN: DataColumn<NamedRow> = {
  head: 'Suite',
  cell: ({ row, suiteTitle, isCurrent }) => (
    <>
      <Link
        className="link"
        href={rowPath(row.suiteId, row.rowId, isCurrent ? null : row.suiteDigest)}
        prefetch={false}
      >
        {visibleText(suiteTitle)}
      </Link>
      {isCurrent ? null : <span className="text-muted"> (earlier version)</span>}
    </>
  ),
  cellClass: 'col-span-2',
}

const ENTRY_COLUMNS: readonly DataColumn<NamedRow>[] = [
  {
    head: 'Version',
    cell: ({ row }) => visibleText(row.subject.version ?? UNKNOWN),
    cellClass: 'untrusted',
  },
  {
    head: 'Success, %',
    cell: ({ row: { success } }) => {
      const { rate, spread } = formatRate(success.rate, success.low, success.high)
      return (
        <>
          <span className="font-semibold">{rate}</span>{' '}
          <span className="text-muted text-xs">{spread}</span>
        </>
      )
    },
    cellTitle: ({ row }) => row.success.method,
    cellClass: 'whitespace-nowrap',
  },
  {
    id: 'interval',
    head: <span className="sr-only">Interval</span>,
    label: null,
    cell: ({ row }) => <Whisker bar {...row.success} solid={rankPoolOf(row) !== null} />,
    cellClass: 'w-48 col-span-3',
  },
  {
    head: 'Cost / success',
    cell: ({ row }) => costCell(row).text,
    cellTitle: ({ row }) => costCell(row).title,
    numeric: true,
  },
  { head: 'Time p50', cell: ({ row }) => formatDuration(row.solvedMs.p50), numeric: true },
  { head: 'Tasks × runs', cell: ({ row }) => formatShape(row), numeric: true },
  { head: 'Date', cell: ({ row }) => formatDay(row.lastStartedAt), cellClass: 'whitespace-nowrap' },
  {
    head: 'Evidence',
    cell: ({ row: { label } }) => (
      <span className="inline-flex items-center gap-1.5 whitespace-nowrap">
        <EvidenceGlyph label={label} />
        {EVIDENCE_WORDS[label].word}
      </span>
    ),
  },
]

function SuiteHistory({ kind, rows }: EntryTableProps) {
  const figure = historyFigure(kind, rows)
  const [first] = rows
  if (!figure || !first) return null
  const { suiteId, subject } = first.row
  const name = kind === 'model' ? subject.modelRequested : subject.name
  return (
    <Section id={`history-${suiteId}`} title={`Over time: ${visibleText(first.suiteTitle)}`}>
      <FigureView
        figure={figure}
        hasTable
        query={{ suite: suiteId, chart: 'history', [kind]: name }}
      />
    </Section>
  )
}

/** Success by category of task, of the first current entry of each suite. */
function Categories({ rows }: { rows: readonly NamedRow[] }) {
  const firsts = rows.filter(
    (named, index) =>
      named.categories.length > 1 &&
      rows.findIndex(({ row }) => row.suiteId === named.row.suiteId) === index,
  )
  if (firsts.length === 0) return null
  return (
    <Section aside="Diagnostic: few tasks each" id="categories" title="By category">
      <div className="grid gap-x-10 gap-y-6 lg:grid-cols-2">
        {firsts.map(({ row, suiteTitle, categories }) => (
          <div key={row.rowId}>
            <h3 className="mb-1.5 font-medium">{visibleText(suiteTitle)}</h3>
            <ul className="border-line border-b">
              {categories.map(({ category, rate, tasks, episodes }) => (
                <li
                  className="grid grid-cols-[minmax(6rem,1fr)_minmax(3rem,9rem)_3rem_3rem] items-center gap-3 sm:grid-cols-[minmax(0,1fr)_minmax(5rem,9rem)_3.5rem_4.5rem] border-line border-t py-1.5"
                  key={category}
                >
                  <span className="untrusted">{visibleText(category)}</span>
                  <ProgressBar done={rate} label={`Success in ${category}`} total={1} />
                  <span className="text-right">{formatPercent(rate)}</span>
                  <span className="text-right text-muted text-xs">
                    {tasks} × {formatCount(Math.round(episodes / tasks))}
                  </span>
                </li>
              ))}
            </ul>
          </div>
        ))}
      </div>
    </Section>
  )
}

function Outcomes({ outcomes }: Pick<NamedRows, 'outcomes'>) {
  const total = outcomes.reduce((sum, { episodes }) => sum + episodes, 0)
  if (total === 0) return null
  return (
    <Section aside={plural(total, 'attempt')} id="outcomes" title="How attempts ended">
      <ul className="max-w-2xl border-line border-b">
        {outcomes.map(({ status, failureCategory, episodes }) => (
          <li
            className="grid grid-cols-[minmax(7rem,1fr)_minmax(3rem,12rem)_3rem] items-center gap-3 border-line border-t py-1.5"
            key={`${status} ${failureCategory}`}
          >
            <span>
              {status}
              {failureCategory ? <span className="text-muted"> · {failureCategory}</span> : null}
            </span>
            <ProgressBar done={episodes} label={`Attempts: ${status}`} total={total} />
            <span className="text-right">{formatCount(episodes)}</span>
          </li>
        ))}
      </ul>
    </Section>
  )
}

const MOST_RUNS = 12

function Runs({ rows }: { rows: readonly NamedRow[] }) {
  const runs = rows.flatMap(({ row }) =>
    row.runIds.map((runId) => ({ runId, suiteId: row.suiteId, at: row.lastStartedAt })),
  )
  return (
    <Section aside={plural(runs.length, 'run')} id="runs" title="Runs">
      <ul className="flex flex-wrap gap-x-5 gap-y-1">
        {runs.slice(0, MOST_RUNS).map(({ runId }) => (
          <li key={runId}>
            <Link className="link" href={`/runs/${runId}`} prefetch={false}>
              {runId}
            </Link>
          </li>
        ))}
      </ul>
      {runs.length > MOST_RUNS ? (
        <p className="mt-2 text-muted">
          The first {MOST_RUNS} of {runs.length}; each entry lists its own.
        </p>
      ) : null}
    </Section>
  )
}
