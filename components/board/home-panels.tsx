import { type ReactNode, useId } from 'react'
import { type Board, rankPoolOf, rowPath } from '#lib/domain/board/index.ts'
import { type CostPoint, costDrawing, costPoints, timePoints } from '../charts/cost-figure.ts'
import { NARROW, type Tone } from '../charts/drawing.ts'
import { DrawingView } from '../charts/drawing-view.tsx'
import { toChartEntries } from '../charts/figure.ts'
import { plural, visibleText } from '../ui/format.ts'
import { type BandRows, firstRows, rankedPools, splitRows, type TableRow } from './board-view.ts'

/** Number of entries in the first panel, where the title of another band takes the place of one; the table has all. */
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
const CHART_WIDTH = 500

const SERIES_TONES: readonly Tone[] = [
  'series-1',
  'series-2',
  'series-3',
  'series-4',
  'series-5',
  'series-6',
]

type HomePanelsProps = { board: Board; rows: readonly TableRow[] }

/**
 * Who wins and how sure, and at what cost: the best entries of the band that ranks most, under faults only where there is no
 * other, and below them those of further bands, as far as there is room.
 */
export function HomePanels({ board, rows }: HomePanelsProps) {
  const [band, ...others] = rankedBands(rows)
  if (!band) return null
  const best = band.rows.slice(0, MOST_ENTRIES)
  const inBand = new Set(band.rows.map(({ id }) => id))
  const entries = toChartEntries(
    board.rows.filter(({ rowId }) => inBand.has(rowId)),
    rankPoolOf,
  )
  const priced = costPoints(entries)
  const toned = (points: readonly CostPoint[]) =>
    points.map((point) => ({
      ...point,
      tone: SERIES_TONES[best.findIndex(({ id }) => id === point.id)] ?? 'muted',
    }))
  return (
    <div className="mb-6 grid gap-4 lg:grid-cols-2 xl:grid-cols-[minmax(0,1.25fr)_minmax(0,1fr)]">
      <Panel
        note="Mean share of tasks solved, with 95 % confidence intervals."
        title={`Success rate · ${band.band.title.toLowerCase()}`}
      >
        <TopEntries rows={best} toneOf={(row) => TONES[best.indexOf(row)]} />
        {firstRows(others, Math.max(0, MOST_ENTRIES - 1 - best.length)).map((other) => (
          <div className="mt-5" key={other.band.id}>
            <h3 className="font-semibold">
              {other.band.title}{' '}
              <span className="font-normal text-muted text-xs">· {other.band.aside}</span>
            </h3>
            <TopEntries rows={other.rows} toneOf={() => 'text-muted'} />
          </div>
        ))}
      </Panel>
      {priced.length > 0 ? (
        <CostPanel missing={entries.length - priced.length} points={toned(priced)} />
      ) : (
        <TimePanel points={toned(timePoints(entries))} />
      )}
    </div>
  )
}

type PointsProps = { points: readonly CostPoint[] }

function CostPanel({ points, missing }: PointsProps & { missing: number }) {
  return (
    <Panel
      note="Higher and further left is better. Line: the best rate at each cost."
      title="Cost and success"
    >
      <div className="mt-3">
        <DrawingView
          draw={(width) => costDrawing(points, { width, scale: 'log', unit: 'USD' })}
          widths={[CHART_WIDTH, NARROW]}
        />
      </div>
      {missing > 0 ? (
        <p className="text-muted text-xs">
          Not shown: {plural(missing, 'entry', 'entries')} without a cost per success.
        </p>
      ) : null}
    </Panel>
  )
}

/** What entries without a cost differ in besides: scripted libraries call no model. */
function TimePanel({ points }: PointsProps) {
  return (
    <Panel
      note="Cost is unknown. Higher and further left is better. Line: the best rate at each time."
      title="Time and success"
    >
      {points.length > 0 ? (
        <div className="mt-3">
          <DrawingView
            draw={(width) => costDrawing(points, { width, scale: 'log', unit: 's', axis: MEDIAN })}
            widths={[CHART_WIDTH, NARROW]}
          />
        </div>
      ) : (
        <p className="mt-4 text-muted">No ranked entry has solved a task yet.</p>
      )}
    </Panel>
  )
}

const MEDIAN = 'median seconds of solved episodes'

function rankedBands(rows: readonly TableRow[]): BandRows[] {
  const pools = rankedPools(rows.map(({ pool }) => pool))
  return splitRows(rows).filter(({ band: { pool } }) => pool !== null && pools.includes(pool))
}

type TopEntriesProps = {
  rows: readonly TableRow[]
  toneOf: (row: TableRow) => string | undefined
}

function TopEntries({ rows, toneOf }: TopEntriesProps) {
  return (
    <ol className="mt-4 space-y-3">
      {rows.map((row) => (
        <TopEntry key={row.id} row={row} tone={toneOf(row) ?? 'text-muted'} />
      ))}
    </ol>
  )
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
  const rest = [subject.model ?? subject.way ?? subject.version, subject.under]
    .filter((part) => part !== null)
    .map(visibleText)
    .join(' · ')
  return (
    <li className="grid grid-cols-[minmax(0,7rem)_minmax(0,1fr)_5rem] items-center gap-x-3 sm:grid-cols-[minmax(0,10.5rem)_minmax(0,1fr)_5.5rem]">
      <a
        className="untrusted min-w-0 leading-tight hover:underline"
        href={rowPath(suiteId, id)}
        title={[visibleText(subject.name), rest].filter(Boolean).join(' · ')}
      >
        <span className="line-clamp-2 break-words font-semibold text-sm sm:text-base">
          {visibleText(subject.name)}
        </span>
        {rest === '' ? null : (
          <span className="line-clamp-3 break-words text-muted text-xs">{rest}</span>
        )}
      </a>
      <RateBar tone={tone} {...success} rate={row.values.success} />
      <span className="text-right" title={success.title}>
        <span className="whitespace-nowrap">
          <span className="font-semibold text-xl">{success.text}</span>
          <span className="text-muted text-xs">{'\u00a0%'}</span>
        </span>
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
