import Link from 'next/link'
import { EVIDENCE_WORDS, EvidenceGlyph } from '#components/board/evidence.tsx'
import { Whisker } from '#components/charts/whisker.tsx'
import { formatInstant, formatRate, plural, UNKNOWN, visibleText } from '#components/ui/format.ts'
import { ShortDigest } from '#components/ui/layout.tsx'
import { ScrollBox } from '#components/ui/table.tsx'
import type { HistoryRow } from '#lib/domain/board/row-history.ts'

const COLUMNS = [
  'First run',
  'Success rate, %',
  '',
  'Evidence',
  'Version',
  'Suite version',
  'Changed',
]

type HistoryTableProps = { suiteId: string; rows: readonly HistoryRow[] }

/** Entries of one agent over time, with changes of version, suite version or settings. */
export function HistoryTable({ suiteId, rows }: HistoryTableProps) {
  return (
    <ScrollBox
      aria-label="Entries over time"
      className="relative overflow-x-auto border-line border-b"
    >
      <table className="w-full min-w-[56rem]">
        <thead>
          <tr className="text-left text-muted text-xs">
            {COLUMNS.map((name) => (
              <th
                className="h-9 border-line-strong border-b pr-4 font-normal"
                key={name || 'whisker'}
                scope="col"
              >
                {name || <span className="sr-only">Interval</span>}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <HistoryLine key={row.rowId} row={row} suiteId={suiteId} />
          ))}
        </tbody>
      </table>
    </ScrollBox>
  )
}

function HistoryLine({ row, suiteId }: { row: HistoryRow; suiteId: string }) {
  const { rowId, success, label, subject, suiteDigest, changes, isStress } = row
  const { rate, spread } = formatRate(success.rate, success.low, success.high)
  const isClaim = label === 'primary' || label === 'stress'
  const board = `/?suite=${encodeURIComponent(suiteId)}&version=${suiteDigest}&open=${rowId}`
  return (
    <tr className="h-9 border-line border-t">
      <td className="whitespace-nowrap pr-4">
        <Link className="link" href={board} prefetch={false}>
          {formatInstant(row.firstStartedAt)}
        </Link>
      </td>
      <td className="whitespace-nowrap pr-4" title={success.method}>
        <span className="font-medium">{rate}</span> <span className="text-muted">{spread}</span>
        <span className="ml-3 text-muted text-xs">
          {plural(success.tasks, 'task')}, {plural(success.attempts, 'episode')}
        </span>
      </td>
      <td className="w-40 pr-4">
        <Whisker high={success.high} low={success.low} rate={success.rate} solid={isClaim} />
      </td>
      <td className="whitespace-nowrap pr-4">
        <span className="inline-flex items-center gap-1.5">
          <EvidenceGlyph label={label} />
          {EVIDENCE_WORDS[label].word}
          {isStress && label !== 'stress' ? ', with injected faults' : ''}
        </span>
      </td>
      <td className="untrusted pr-4">{visibleText(subject.version ?? UNKNOWN)}</td>
      <td className="pr-4">
        <ShortDigest digest={suiteDigest} />
      </td>
      <td className="text-muted">{changes.length > 0 ? changes.join(', ') : UNKNOWN}</td>
    </tr>
  )
}
