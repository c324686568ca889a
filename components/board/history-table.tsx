import { EvidenceGlyph } from '#components/board/evidence.tsx'
import { Whisker } from '#components/charts/whisker.tsx'
import type { DataColumn } from '#components/ui/data-column.ts'
import { formatInstant, formatRate, UNKNOWN, visibleText } from '#components/ui/format.ts'
import { ShortDigest } from '#components/ui/layout.tsx'
import { DataTable } from '#components/ui/table.tsx'
import { EVIDENCE_WORDS, formatConditions, type HistoryRow } from '#lib/domain/board/index.ts'
import { countOf } from '#lib/domain/text/index.ts'

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
    cell: ({ row: { success, label } }) => (
      <Whisker
        high={success.high}
        low={success.low}
        rate={success.rate}
        solid={label === 'primary' || label === 'stress'}
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
export function HistoryTable({ suiteId, rows }: HistoryTableProps) {
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
