import { classNames } from '#components/ui/class-names.ts'
import { UNKNOWN, visibleText } from '#components/ui/format.ts'
import { EVIDENCE_WORDS, PROVENANCE_WORDS } from '#lib/domain/board/index.ts'
import { Whisker } from '../charts/whisker.tsx'
import { EvidenceGlyph } from './evidence.tsx'
import { rankFigure, successFigure } from './row-figures.ts'
import type { TableRow } from './table-row.ts'

export type CellProps = { row: TableRow; isOpen: boolean; onToggle: (rowId: string) => void }

export function RankCell({ row }: CellProps) {
  const { ties } = row
  return (
    <>
      {rankFigure(row).text}
      {ties === null ? null : (
        <>
          {' '}
          <span className="whitespace-nowrap text-muted text-xs" data-ties>
            {ties.text}
          </span>
        </>
      )}
    </>
  )
}

export function SubjectCell({ row: { subject, apart, path } }: CellProps) {
  const name = visibleText(subject.name)
  const rest = describeRest({ subject, apart })
  return (
    <>
      <a
        className={classNames(
          'untrusted block font-semibold hover:underline',
          name.length > LONG_NAME && 'text-xs leading-tight',
        )}
        href={path ?? `/agents/${encodeURIComponent(subject.name)}`}
      >
        {name}
      </a>
      {rest ? <span className="untrusted block text-muted text-xs">{rest}</span> : null}
    </>
  )
}

/** Name of an entry with what tells it from others of the same name. */
export function subjectTitle({ subject, apart }: TableRow): string {
  return [visibleText(subject.name), describeRest({ subject, apart })].filter(Boolean).join(' · ')
}

function describeRest({ subject, apart }: Pick<TableRow, 'subject' | 'apart'>): string {
  const parts = [subject.under, ...apart].filter((part) => part !== null)
  return parts.map(visibleText).join(' · ')
}

export function ModelCell({ row: { subject } }: CellProps) {
  const model = subject.model === null ? null : visibleText(subject.model)
  if (model === null) return <span className="text-muted">{subject.way ?? UNKNOWN}</span>
  const { modelRequested } = subject
  // The name of a row is never truncated: a long one wraps.
  const style = classNames('untrusted block', model.length > LONG_MODEL && 'text-xs leading-tight')
  if (modelRequested === null) return <span className={style}>{model}</span>
  return (
    <a
      className={classNames(style, 'hover:underline')}
      href={`/models/${encodeURIComponent(modelRequested)}`}
    >
      {model}
    </a>
  )
}

const LONG_NAME = 26
const LONG_MODEL = 20
const LONG_VERSION = 10

export function VersionCell({ row: { subject } }: CellProps) {
  const version = visibleText(subject.version ?? UNKNOWN)
  return (
    <span
      className={classNames(
        'untrusted block text-muted',
        version.length > LONG_VERSION && 'text-xs leading-tight',
      )}
    >
      {version}
    </span>
  )
}

export function SuccessCell(props: CellProps) {
  const { notices } = props.row
  return (
    <>
      <Success {...props} />
      {notices.length > 0 ? (
        <span className="block text-muted text-xs leading-4" data-notices>
          {notices.join(' · ')}
        </span>
      ) : null}
    </>
  )
}

function Success({ row }: CellProps) {
  const { rate, low, high } = row.success
  const { text, spread, interval } = successFigure(row)
  return (
    <span className="flex flex-wrap items-center gap-2.5 lg:grid lg:grid-cols-[6.5rem_minmax(6rem,1fr)] [&>svg]:flex-1">
      <span className="whitespace-nowrap lg:text-right">
        <span className="font-semibold text-base">{text}</span>
        {rate === null ? null : <span className="lg:sr-only">&nbsp;%</span>}
        {spread ? (
          <span className="inline-block pl-1 text-muted text-xs lg:w-14 lg:text-left">
            {spread}
          </span>
        ) : null}
      </span>
      <Whisker
        bar
        high={high}
        low={low}
        rate={rate}
        solid={row.pool !== null}
        colour={row.colour}
      />
      <span className="sr-only">{`confidence interval ${interval}`}</span>
    </span>
  )
}

export function EvidenceCell({ row, isOpen, onToggle }: CellProps) {
  return (
    <>
      <button
        aria-expanded={isOpen}
        className="-mx-1.5 inline-flex h-7 max-w-full whitespace-nowrap items-center gap-1.5 rounded px-1.5 after:mb-0.5 after:size-1.5 after:rotate-45 after:border-current after:border-r after:border-b hover:bg-sunken aria-expanded:bg-sunken aria-expanded:after:mt-1 aria-expanded:after:mb-0 aria-expanded:after:rotate-225"
        onClick={() => onToggle(row.id)}
        title={[EVIDENCE_WORDS[row.label].meaning, ...row.codes].join('\n')}
        type="button"
      >
        <EvidenceGlyph label={row.label} />
        {EVIDENCE_WORDS[row.label].word}
        <span className="sr-only">{`, reasons and details of ${visibleText(row.subject.name)}`}</span>
      </button>
      <RowOrigin row={row} />
      <noscript>
        <a className="link block w-fit" href={`/rows/${row.id}`}>
          details
        </a>
      </noscript>
    </>
  )
}

/** The origin of a row that did not run here, and its number of corrections. */
function RowOrigin({ row: { provenance, corrections } }: Pick<CellProps, 'row'>) {
  const sent = provenance === 'local' ? null : PROVENANCE_WORDS[provenance]
  if (!sent && !corrections) return null
  return (
    <span className="ml-2.5 inline text-muted text-xs lg:ml-0 lg:block lg:leading-tight">
      {sent ? <span title={sent.meaning}>sent ({sent.word})</span> : null}
      {sent && corrections ? ' · ' : null}
      {corrections ? (
        <a
          className="whitespace-nowrap hover:underline"
          href={corrections.path}
          title={corrections.title}
        >
          {corrections.text}
        </a>
      ) : null}
    </span>
  )
}

export function ProvenanceCell({ row }: CellProps) {
  const { level, word, meaning } = PROVENANCE_WORDS[row.provenance]
  return (
    <span className="whitespace-nowrap" title={`${level}: ${meaning}`}>
      <span className="mr-1.5 rounded border border-line px-1 text-muted text-xs">{level}</span>
      {word}
    </span>
  )
}
