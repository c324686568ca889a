import { rowPath } from '#lib/domain/board/index.ts'
import { classNames } from '../ui/class-names.ts'
import { visibleText } from '../ui/format.ts'
import { successFigure } from './row-figures.ts'
import type { TableRow } from './table-row.ts'

type TopEntriesProps = {
  suiteId: string
  rows: readonly TableRow[]
  toneOf: (row: TableRow) => string | undefined
}

/** The best entries as large bars with their intervals. */
export function TopEntries({ suiteId, rows, toneOf }: TopEntriesProps) {
  return (
    <ol className="mt-4 space-y-3">
      {rows.map((row) => (
        <TopEntry
          isStacked={rows.some(isLong)}
          key={row.id}
          row={row}
          suiteId={suiteId}
          tone={toneOf(row) ?? 'text-muted'}
        />
      ))}
    </ol>
  )
}

/** Length from which a name, or model, is above the bar on a phone. */
const LONG_NAME = 26

const secondLine = ({ subject }: TableRow): string =>
  [subject.model ?? subject.way ?? subject.version, subject.under]
    .filter((part) => part !== null)
    .map(visibleText)
    .join(' · ')

const isLong = (row: TableRow): boolean =>
  Math.max(row.subject.name.length, secondLine(row).length) > LONG_NAME

type TopEntryProps = { suiteId: string; row: TableRow; tone: string; isStacked: boolean }

/** A long name breaks and is never cut. */
function TopEntry({ suiteId, row, tone, isStacked }: TopEntryProps) {
  const { subject, success, id } = row
  const { text, title, spread } = successFigure(row)
  const rest = secondLine(row)
  return (
    <li className="grid grid-cols-[minmax(0,7rem)_minmax(0,1fr)_5rem] items-center gap-x-3 sm:grid-cols-[minmax(0,10.5rem)_minmax(0,1fr)_5.5rem]">
      <a
        className={classNames(
          'untrusted min-w-0 leading-tight hover:underline',
          isStacked && 'max-sm:col-span-3',
        )}
        href={rowPath(suiteId, id)}
        title={[visibleText(subject.name), rest].filter(Boolean).join(' · ')}
      >
        <span
          className={classNames(
            'block break-words font-semibold text-sm',
            subject.name.length <= LONG_NAME && 'sm:text-base',
          )}
        >
          {visibleText(subject.name)}
        </span>
        {rest === '' ? null : <span className="block break-words text-muted text-xs">{rest}</span>}
      </a>
      <span className={isStacked ? 'max-sm:col-span-2' : undefined}>
        <RateBar high={success.high} low={success.low} rate={success.rate} tone={tone} />
      </span>
      <span className="text-right" title={title}>
        <span className="whitespace-nowrap">
          <span className="font-semibold text-xl">{text}</span>
          <span className="text-muted text-xs">{'\u00a0%'}</span>
        </span>
        <span className="block text-muted text-xs">{spread}</span>
      </span>
    </li>
  )
}

type RateBarProps = { rate: number | null; low: number | null; high: number | null; tone: string }

function RateBar({ rate, low, high, tone }: RateBarProps) {
  if (rate === null) return <span />
  const left = `${((low ?? rate) * 100).toFixed(2)}%`
  const width = `${(((high ?? rate) - (low ?? rate)) * 100).toFixed(2)}%`
  return (
    <span aria-hidden="true" className={`relative block h-6 ${tone}`}>
      <Strip left="0%" width={`${(rate * 100).toFixed(2)}%`} className="h-4 opacity-15" />
      <Strip left={left} width={width} className="h-0.5" />
      <svg aria-hidden="true" className="absolute inset-0 size-full overflow-visible">
        <circle cx={`${(rate * 100).toFixed(2)}%`} cy="50%" fill="currentColor" r="5" />
      </svg>
    </span>
  )
}

/** A band of the bar, centred. Drawn as SVG, because the page's policy allows no inline styles. */
function Strip({ left, width, className }: { left: string; width: string; className: string }) {
  return (
    <svg
      aria-hidden="true"
      className={`absolute top-1/2 left-0 w-full -translate-y-1/2 ${className}`}
    >
      <rect fill="currentColor" height="100%" rx="2" width={width} x={left} />
    </svg>
  )
}
