import Link from 'next/link'
import { type ReactNode, useId } from 'react'
import { type Board, rankPoolOf, rowPath } from '#lib/domain/board/index.ts'
import { costDrawing, costPoints } from '../charts/cost-figure.ts'
import { NARROW, type Tone } from '../charts/drawing.ts'
import { DrawingView } from '../charts/drawing-view.tsx'
import { toChartEntries } from '../charts/figure.ts'
import { visibleText } from '../ui/format.ts'
import { type BandRows, type BoardBand, splitRows, type TableRow } from './board-view.ts'

/** Number of entries in the panels; the table has all. */
const MOST_ENTRIES = 6
const TONES = [
  'text-series-1',
  'text-series-2',
  'text-series-3',
  'text-series-4',
  'text-series-5',
  'text-series-6',
]

/** The chart's place beside the bars. */
const CHART_WIDTH = 440

const SERIES_TONES: readonly Tone[] = [
  'series-1',
  'series-2',
  'series-3',
  'series-4',
  'series-5',
  'series-6',
]

type HomePanelsProps = { board: Board; rows: readonly TableRow[] }

/** Who wins and how sure, and at what cost: the best entries of the band that ranks most, under faults only where there is no other. */
export function HomePanels({ board, rows }: HomePanelsProps) {
  const band = largestBand(rows)
  if (!band) return null
  const best = band.rows.slice(0, MOST_ENTRIES)
  const toneOf = (row: TableRow) => TONES[best.indexOf(row)] ?? 'text-muted'
  const inBand = new Set(band.rows.map(({ id }) => id))
  const priced = costPoints(
    toChartEntries(
      board.rows.filter(({ rowId }) => inBand.has(rowId)),
      rankPoolOf,
    ),
  ).map((point) => ({
    ...point,
    tone: SERIES_TONES[best.findIndex(({ id }) => id === point.id)] ?? 'muted',
  }))
  return (
    <div className="mb-6 grid gap-4 lg:grid-cols-[minmax(0,1.25fr)_minmax(0,1fr)]">
      <Panel
        note="Mean share of tasks solved, with its 95 % confidence interval."
        title={`Success rate · ${describeBand(band.band)}`}
      >
        <ol className="mt-4 space-y-3">
          {best.map((row) => (
            <TopEntry key={row.id} row={row} tone={toneOf(row)} />
          ))}
        </ol>
      </Panel>
      <Panel
        note="Higher and further left is better. Line: the best rate that each cost buys."
        title="Cost and success"
      >
        {priced.length > 0 ? (
          <div className="mt-3">
            <DrawingView
              draw={(width) => costDrawing(priced, { width, scale: 'log', unit: 'USD' })}
              widths={[CHART_WIDTH, NARROW]}
            />
          </div>
        ) : (
          <p className="mt-4 text-muted">
            The cost of no ranked entry is known. Libraries driven by a script call no model.
          </p>
        )}
      </Panel>
    </div>
  )
}

/** Of two with as many, the first; null = nothing is ranked. */
function largestBand(rows: readonly TableRow[]): BandRows | null {
  const ranked = splitRows(rows).filter(({ band }) => band.pool !== null)
  const plain = ranked.filter(({ band }) => band.pool?.startsWith('primary/'))
  return (plain.length > 0 ? plain : ranked).reduce<BandRows | null>(
    (best, one) => (best === null || one.rows.length > best.rows.length ? one : best),
    null,
  )
}

function describeBand({ title, aside }: BoardBand): string {
  return `${title.toLowerCase()}, ${aside.split(';')[0]}`
}

function Panel({ title, note, children }: { title: string; note: string; children: ReactNode }) {
  const id = useId()
  return (
    <section
      aria-labelledby={id}
      className="min-w-0 rounded-lg border border-line bg-surface px-4 py-4 sm:px-5"
    >
      <h2 className="font-semibold text-base" id={id}>
        {title}
      </h2>
      <p className="text-muted">{note}</p>
      {children}
    </section>
  )
}

function TopEntry({ row, tone }: { row: TableRow; tone: string }) {
  const { subject, success, suiteId, id } = row
  const rest = subject.model ?? subject.way ?? subject.version
  return (
    <li className="grid grid-cols-[minmax(0,7.5rem)_minmax(0,1fr)_4rem] items-center gap-x-3 sm:grid-cols-[minmax(0,10.5rem)_minmax(0,1fr)_5.5rem]">
      <Link
        className="untrusted min-w-0 leading-tight hover:underline"
        href={rowPath(suiteId, id)}
        prefetch={false}
      >
        <span className="block truncate font-semibold text-base">{visibleText(subject.name)}</span>
        {rest === null ? null : (
          <span className="block break-words text-muted text-xs">{visibleText(rest)}</span>
        )}
      </Link>
      <RateBar tone={tone} {...success} rate={row.values.success} />
      <span className="text-right" title={success.title}>
        <span className="font-semibold text-xl">{success.text}</span>
        <span className="text-muted text-xs"> %</span>
        <span className="block text-muted text-xs">{success.spread}</span>
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

/** A band of the bar, centred; drawn as SVG, since the page's policy allows no inline styles. */
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
