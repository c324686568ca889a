import { X } from 'lucide-react'
import Link from 'next/link'
import { EvidenceGlyph } from '#components/board/evidence-glyph.tsx'
import { EVIDENCE_WORDS } from '#components/board/evidence-words.ts'
import { Whisker } from '#components/board/whisker.tsx'
import { formatInterval, formatPercent, plural } from '#components/format/number.ts'
import { visibleText } from '#components/format/visible-text.ts'
import { sayWay } from '#lib/domain/browser/browser-words.ts'
import type { ComparedRow } from '#lib/domain/compare/comparison.ts'
import { isClaim } from '#lib/domain/compare/is-claim.ts'
import { comparePath } from '#lib/domain/compare/parse-row-ids.ts'

/** The rows of a comparison in their order, each with a way to leave it out. */
export function ComparedRows({ rows }: { rows: readonly ComparedRow[] }) {
  const rowIds = rows.map(({ rowId }) => rowId)
  return (
    <ul className="border-line border-b">
      {rows.map((row) => (
        <ComparedLine
          key={row.rowId}
          row={row}
          without={comparePath(rowIds.filter((rowId) => rowId !== row.rowId))}
        />
      ))}
    </ul>
  )
}

function ComparedLine({ row, without }: { row: ComparedRow; without: string }) {
  const { subject, success, label, repetitions } = row
  const name = visibleText(row.name)
  const run = row.runIds.at(-1)
  const rest = [subject.version, subject.modelRequested, sayWay(row)].filter(
    (part) => part !== null,
  )
  const times =
    repetitions.least === repetitions.most
      ? repetitions.most
      : `${repetitions.least}–${repetitions.most}`
  return (
    <li className="grid min-h-9 grid-cols-[minmax(0,1fr)_auto] items-center gap-x-4 gap-y-1 border-line border-t py-2 lg:grid-cols-[minmax(0,1fr)_8rem_minmax(0,1fr)_auto] lg:py-0.5">
      <span className="untrusted min-w-0">
        {run ? (
          <Link className="link font-medium" href={`/runs/${run}`} prefetch={false}>
            {name}
          </Link>
        ) : (
          <span className="font-medium">{name}</span>
        )}{' '}
        <span className="text-muted">{rest.map(visibleText).join(' · ')}</span>
      </span>
      <span
        className="flex items-center gap-1.5 max-lg:col-start-1"
        title={EVIDENCE_WORDS[label].meaning}
      >
        <EvidenceGlyph label={label} />
        {EVIDENCE_WORDS[label].word}
      </span>
      <span
        className="grid grid-cols-[2.75rem_minmax(5rem,1fr)_max-content] items-center gap-2.5 max-lg:col-span-2"
        title={`${formatPercent(success.rate)} % (95 % interval ${formatInterval(success.low, success.high)}) · ${success.method}`}
      >
        <span className="font-medium lg:text-right">{formatPercent(success.rate)}</span>
        <Whisker high={success.high} low={success.low} rate={success.rate} solid={isClaim(label)} />
        <span className="whitespace-nowrap text-muted text-xs">
          {plural(success.tasks, 'task')} × {times}
        </span>
      </span>
      <Link
        aria-label={`Leave out ${name}`}
        className="inline-flex size-8 items-center justify-center rounded text-muted hover:bg-sunken hover:text-ink max-lg:col-start-2 max-lg:row-start-1"
        href={without}
        prefetch={false}
        title={`Leave out ${name}`}
      >
        <X aria-hidden size={16} />
      </Link>
    </li>
  )
}
