import { EvidenceGlyph } from '#components/board/evidence.tsx'
import { Whisker } from '#components/charts/whisker.tsx'
import type { DataColumn } from '#components/ui/data-column.ts'
import { DataTable } from '#components/ui/table.tsx'
import {
  EVIDENCE_WORDS,
  formatConditions,
  type HistoryQuery,
  type HistoryRow,
  type RowChange,
} from '#lib/domain/board/index.ts'
import { changeItem } from '#lib/domain/formats/index.ts'
import { countOf } from '#lib/domain/text/index.ts'
import { latestOf } from '../charts/build-figure.ts'
import { type ChartSource, FigureView } from '../charts/figure-view.tsx'
import { historyFigure } from '../charts/history-figure.ts'
import { formatDay, formatInstant, formatRate, UNKNOWN, visibleText } from '../ui/format.ts'
import { PageHeading, Section, ShortDigest } from '../ui/layout.tsx'

type History = { suiteId: string; suiteTitle: string; rows: readonly HistoryRow[] }

type HistoryPageProps = {
  history: History
  /** The entries of the history. */
  subject: HistoryQuery
  /** Significant changes, of it and others. */
  changes: readonly RowChange[]
}

/** Results of one agent over time, on every version of a suite. */
export function HistoryPage({ history, subject: { name, model }, changes: all }: HistoryPageProps) {
  const { suiteId, suiteTitle, rows } = history
  const changes = all.filter(
    ({ after }) =>
      after.suiteId === suiteId &&
      after.subject.name === name &&
      after.subject.modelRequested === model,
  )
  const figure = historyFigure('agent', rows)
  // The files contain exactly these entries; without its model, an agent has more.
  const entries = rows.map(({ rowId }) => rowId).join()
  const query = new URLSearchParams({ suite: suiteId, agent: name })
  return (
    <>
      <PageHeading
        title={[name, model]
          .filter(Boolean)
          .map((part) => visibleText(part ?? ''))
          .join(' · ')}
        trail={
          <a className="link" href={`/?suite=${encodeURIComponent(suiteId)}`}>
            {suiteTitle}
          </a>
        }
      >
        How the success rate changed over {countOf(rows.length, 'entry')}. Where a version or
        setting changed, entries are separate measurements and their difference can have several
        causes.
      </PageHeading>
      <Section
        aside={
          <a className="link" href={`/feed.xml?${query}`}>
            Feed
          </a>
        }
        id="changes"
        title="Significant changes"
      >
        <ChangeList changes={changes} />
      </Section>
      {figure ? (
        <Section id="chart" title="Chart">
          <FigureView
            figure={figure}
            query={{ suite: suiteId, chart: 'history', agent: name, entries }}
            source={sourceOf(history)}
          />
        </Section>
      ) : null}
      <Section id="entries" title="Entries, oldest first">
        <HistoryTable rows={rows} suiteId={suiteId} />
      </Section>
    </>
  )
}

function sourceOf({ suiteId, suiteTitle: title, rows }: History): ChartSource {
  const digest = rows.at(-1)?.suiteDigest ?? ''
  return { suite: { suiteId, title, digest }, updated: latestOf(rows) }
}

/** Lists changes that a test finds significant, not apparent differences of two points. */
function ChangeList({ changes }: { changes: readonly RowChange[] }) {
  if (changes.length === 0) {
    return (
      <p className="max-w-3xl text-muted">
        None. Consecutive ranked entries of the same model, settings and sender are tested, and all
        tests of this server are corrected together.{' '}
        <a className="link" href="/methodology/costs#changes">
          How changes are tested
        </a>
      </p>
    )
  }
  return (
    <ul className="max-w-4xl border-line border-b">
      {changes.map((change) => {
        const { title, text, path, at } = changeItem(change)
        return (
          <li className="border-line border-t py-2" key={path}>
            <a className="untrusted font-medium hover:underline" href={path}>
              {visibleText(title)}
            </a>
            <p className="untrusted text-muted">
              <time dateTime={at}>{formatDay(at)}</time>. {visibleText(text)}
            </p>
          </li>
        )
      })}
    </ul>
  )
}

type ShownRow = { row: HistoryRow; suiteId: string }

const COLUMNS: readonly DataColumn<ShownRow>[] = [
  {
    head: 'First run',
    cell: ({ row, suiteId }) => (
      <a
        className="hover:underline"
        href={`/?suite=${encodeURIComponent(suiteId)}&version=${row.suiteDigest}&open=${row.rowId}`}
      >
        {formatInstant(row.firstStartedAt)}
      </a>
    ),
    cellClass: 'whitespace-nowrap pr-4',
  },
  {
    head: 'Success rate, %',
    cell: ({ row: { success } }) => <SuccessText success={success} />,
    cellTitle: ({ row }) => row.success.method,
    cellClass: 'whitespace-nowrap pr-4',
  },
  {
    id: 'interval',
    head: <span className="sr-only">Interval</span>,
    cell: ({ row: { success, label, style } }) => (
      <Whisker
        high={success.high}
        low={success.low}
        rate={success.rate}
        solid={label === 'primary' || label === 'stress'}
        colour={style?.colour}
      />
    ),
    cellClass: 'w-40 pr-4',
  },
  {
    head: 'Evidence',
    cell: ({ row: { label, isStress } }) => (
      <span className="inline-flex items-center gap-1.5">
        <EvidenceGlyph label={label} />
        {EVIDENCE_WORDS[label].word}
        {isStress && label !== 'stress' ? ', with injected faults' : ''}
      </span>
    ),
    cellClass: 'whitespace-nowrap pr-4',
  },
  {
    head: 'Version',
    cell: ({ row }) => visibleText(row.subject.version ?? UNKNOWN),
    cellClass: 'untrusted pr-4',
  },
  {
    head: 'Condition',
    title: 'The arm of its plan, a cold browser or a planned fault',
    cell: ({ row }) => visibleText(formatConditions(row) ?? UNKNOWN),
    cellClass: 'untrusted whitespace-nowrap pr-4',
  },
  {
    head: 'Suite version',
    cell: ({ row }) => <ShortDigest digest={row.suiteDigest} />,
    cellClass: 'pr-4',
  },
  {
    head: 'Changed',
    cell: ({ row: { changes } }) => (changes.length > 0 ? changes.join(', ') : UNKNOWN),
    cellClass: 'text-muted',
  },
]

type HistoryTableProps = { suiteId: string; rows: readonly HistoryRow[] }

/**
 * A subject's rows over time. Changes of version, suite or settings are shown, because they make it a different
 * measurement.
 */
function HistoryTable({ suiteId, rows }: HistoryTableProps) {
  return (
    <DataTable
      className="w-full min-w-[56rem]"
      columns={COLUMNS}
      headClass="h-9 border-line-strong border-b pr-4 text-muted text-xs"
      keyOf={({ row }) => row.rowId}
      rowProps={() => ({ className: 'h-9 border-line border-t' })}
      rows={rows.map((row) => ({ row, suiteId }))}
      scroll={{
        name: 'Entries over time',
        className: 'relative overflow-x-auto border-line border-b',
      }}
    />
  )
}

function SuccessText({ success }: Pick<HistoryRow, 'success'>) {
  const { rate, spread } = formatRate(success.rate, success.low, success.high)
  return (
    <>
      <span className="font-medium">{rate}</span> <span className="text-muted">{spread}</span>
      <span className="ml-3 text-muted text-xs">
        {countOf(success.tasks, 'task')}, {countOf(success.attempts, 'episode')}
      </span>
    </>
  )
}
