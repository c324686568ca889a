import Link from 'next/link'
import { classNames } from '#components/ui/class-names.ts'
import { visibleText } from '#components/ui/format.ts'
import { Whisker } from '../charts/whisker.tsx'
import type { ColumnId, Figure, TableRow } from './board-view.ts'
import { EVIDENCE_WORDS, EvidenceGlyph, PROVENANCE_WORDS } from './evidence.tsx'

type CellProps = { row: TableRow }
type DisclosureProps = CellProps & { open: boolean; onToggle: () => void }

/** One cell's content; the evidence cell is the button that opens the row's reasons. */
export function RowCell({ id, ...props }: DisclosureProps & { id: ColumnId }) {
  const { row } = props
  switch (id) {
    case 'rank':
      return (
        <span title={row.rank.title}>
          {row.rank.text}
          {row.letters === null ? null : (
            <>
              {' '}
              <span className="text-muted text-xs" data-letters={row.letters}>
                {row.letters}
              </span>
            </>
          )}
        </span>
      )
    case 'subject':
      return <SubjectCell row={row} />
    case 'success':
      return <SuccessCell row={row} />
    case 'evidence':
      return <EvidenceCell {...props} />
    case 'provenance':
      return <ProvenanceCell row={row} />
    default:
      return <FigureCell figure={row[id]} />
  }
}

function FigureCell({ figure }: { figure: Figure }) {
  return (
    <span className={figure.value === null ? 'text-muted' : undefined} title={figure.title}>
      {figure.text}
    </span>
  )
}

function SubjectCell({ row: { subject, runIds, isolation } }: CellProps) {
  const run = runIds.at(-1)
  const { way, under, model, version } = subject
  const rest = [way, ...(way ? [under, model, version] : [version, model, under]), isolation]
    .filter((part) => part !== null)
    .map(visibleText)
    .join(' · ')
  return (
    <span className={way ? 'block min-w-0' : 'flex min-w-0 items-baseline gap-2'}>
      {run ? (
        <Link
          className="link max-w-[65%] shrink-0 truncate font-medium"
          href={`/runs/${run}`}
          prefetch={false}
        >
          {visibleText(subject.name)}
        </Link>
      ) : (
        <span className="max-w-[65%] shrink-0 truncate font-medium">
          {visibleText(subject.name)}
        </span>
      )}
      <span
        className={classNames('untrusted min-w-0 truncate text-muted', way && 'block text-xs')}
        title={rest}
      >
        {rest}
      </span>
    </span>
  )
}

function SuccessCell({ row: { success, samples, count, pool, grading } }: CellProps) {
  return (
    <span
      className="grid grid-cols-[max-content_minmax(6rem,1fr)_max-content] items-center gap-2.5 lg:grid-cols-[6.25rem_minmax(6rem,1fr)_9rem]"
      title={success.title}
    >
      <span className="whitespace-nowrap lg:text-right">
        <span className="font-medium">{success.text}</span>
        {success.value === null ? null : <span className="lg:sr-only"> %</span>}
        {success.spread ? <span className="text-muted"> {success.spread}</span> : null}
      </span>
      <Whisker high={success.high} low={success.low} rate={success.value} solid={pool !== null} />
      <span className="text-muted lg:whitespace-nowrap text-xs">
        <span className="whitespace-nowrap">
          <span className="text-ink">{count}</span> ({samples})
        </span>
        {grading?.coverage ? (
          <span
            className="block w-0 min-w-full text-[0.6875rem] leading-tight lg:truncate"
            title={grading.coverage}
          >
            {grading.coverage}
          </span>
        ) : null}
      </span>
      <span className="sr-only">confidence interval {success.interval}</span>
    </span>
  )
}

function EvidenceCell({ row, open, onToggle }: DisclosureProps) {
  const codes = row.refusals.map(({ code }) => code).join(', ')
  return (
    <button
      aria-expanded={open}
      className="-mx-1.5 inline-flex h-7 max-w-full items-center gap-1.5 rounded px-1.5 hover:bg-sunken aria-expanded:bg-sunken"
      onClick={onToggle}
      title={
        row.refusals.map(({ reason }) => reason).join('\n') || EVIDENCE_WORDS[row.label].meaning
      }
      type="button"
    >
      <EvidenceGlyph label={row.label} />
      {EVIDENCE_WORDS[row.label].word}
      <span className="min-w-0 truncate text-muted text-xs">{codes}</span>
      <span className="sr-only">, reasons and details of {visibleText(row.subject.name)}</span>
      <svg
        aria-hidden="true"
        className={classNames('size-3 shrink-0', open && 'rotate-180')}
        viewBox="0 0 12 12"
      >
        <path d="m3 4.5 3 3 3-3" fill="none" stroke="currentColor" strokeWidth="1.4" />
      </svg>
    </button>
  )
}

function ProvenanceCell({ row }: CellProps) {
  const { level, word, meaning } = PROVENANCE_WORDS[row.provenance]
  return (
    <span className="whitespace-nowrap" title={`${level}: ${meaning}`}>
      <span className="mr-1.5 rounded border border-line px-1 text-muted text-xs">{level}</span>
      {word}
    </span>
  )
}
