import { type ReactNode, useId } from 'react'
import { type Board, entryStyles, rankPoolOf, rowPath } from '#lib/domain/board/index.ts'
import { countOf } from '#lib/domain/text/index.ts'
import type { Chart } from '../charts/chart.ts'
import { type CostPoint, costChart, costPoints, timePoints } from '../charts/cost-figure.ts'
import { toChartEntries } from '../charts/figure.ts'
import { DRAWN, FigureChart } from '../charts/figure-chart.tsx'
import { toneOf } from '../charts/whisker.tsx'
import { classNames } from '../ui/class-names.ts'
import { visibleText } from '../ui/format.ts'
import { type BandRows, firstRows, rankedPools, splitRows } from './board-view.ts'
import { successFigure } from './row-figures.ts'
import type { TableRow } from './table-row.ts'

/** Maximum of lines in the first panel, where the title of a further band counts as one; the table has all entries. */
const MAX_ENTRIES = 6
type HomePanelsProps = { board: Board; rows: readonly TableRow[] }

/**
 * Shows the leading entries with their uncertainty and cost: the best of the largest ranked band, then those of other
 * bands up to a limit. Bands with injected faults are used only if all ranked bands have them.
 */
export function HomePanels({ board, rows }: HomePanelsProps) {
  const { suiteId } = board.suite
  const [band, ...others] = rankedBands(rows)
  if (!band) return null
  const best = band.rows.slice(0, MAX_ENTRIES)
  const inBand = new Set(band.rows.map(({ id }) => id))
  const styles = entryStyles(board.rows)
  const entries = toChartEntries(
    board.rows.filter(({ rowId }) => inBand.has(rowId)),
    rankPoolOf,
    styles,
  )
  const priced = costPoints(entries)
  const hasSolved = entries.some(({ row }) => row.success.rate !== 0)
  const toned = (points: readonly CostPoint[]) =>
    points.map((point) =>
      tonePoint(
        point,
        best.some(({ id }) => id === point.id),
        points.length > MAX_WITH_INTERVALS,
      ),
    )
  return (
    <div className="mb-6 grid gap-4 lg:grid-cols-2 xl:grid-cols-[minmax(0,1.25fr)_minmax(0,1fr)]">
      <Panel
        note="Mean share of tasks solved, with 95&nbsp;% confidence intervals."
        title={`Success rate · ${band.band.title.toLowerCase()}`}
      >
        <TopEntries rows={best} suiteId={suiteId} />
        {firstRows(others, Math.max(0, MAX_ENTRIES - 1 - best.length)).map((other) => (
          <div className="mt-5" key={other.band.id}>
            <h3 className="font-semibold">
              {other.band.title}{' '}
              <span className="font-normal text-muted text-xs">· {other.band.aside}</span>
            </h3>
            <TopEntries rows={other.rows} suiteId={suiteId} />
          </div>
        ))}
      </Panel>
      {priced.length > 0 || !hasSolved ? (
        <CostPanel missing={entries.length - priced.length} points={toned(priced)} />
      ) : (
        <TimePanel points={toned(timePoints(entries))} />
      )}
    </div>
  )
}

/** With more entries, only those in the first panel have intervals and colours; the others give context. */
const MAX_WITH_INTERVALS = 12

function tonePoint(point: CostPoint, isBest: boolean, isCrowded: boolean): CostPoint {
  if (isBest) return { ...point, isFirst: true }
  if (!isCrowded) return point
  const { id, rowId, href, name, claim, style, size, cost, success } = point
  return { id, rowId, href, name, claim, style, size, cost, success, isContext: true }
}

type PointsProps = { points: readonly CostPoint[] }

function CostPanel({ points, missing }: PointsProps & { missing: number }) {
  if (points.length === 0)
    return (
      <Panel title="Cost and success">
        <p className="mt-4 text-muted">No ranked entry has solved a task yet.</p>
      </Panel>
    )
  return (
    <Panel
      className={DRAWN}
      note="Higher and further left is better. Line: the best rate at each cost."
      title="Cost and success"
    >
      <div className="mt-3">
        <FigureChart chart={panelChart(points, { unit: 'USD' })} />
      </div>
      {missing > 0 ? (
        <p className="text-muted text-xs">
          Not shown: {countOf(missing, 'entry')} without a cost per success.
        </p>
      ) : null}
      <CrowdNote count={points.length} />
    </Panel>
  )
}

/** Median times, shown if no cost is known: scripted libraries call no model. */
function TimePanel({ points }: PointsProps) {
  return (
    <Panel
      className={DRAWN}
      note="Cost is unknown. Higher and further left is better. Line: the best rate at each time."
      title="Time and success"
    >
      <div className="mt-3">
        <FigureChart chart={panelChart(points, { unit: 's', axis: MEDIAN })} />
      </div>
      <CrowdNote count={points.length} />
    </Panel>
  )
}

function CrowdNote({ count }: { count: number }) {
  if (count <= MAX_WITH_INTERVALS) return null
  return (
    <p className="text-muted text-xs">
      Grey: other entries, without their intervals.{' '}
      <a className="link" href="#charts">
        All charts
      </a>
    </p>
  )
}

const MEDIAN = 'median seconds of solved episodes'

/** The bars beside the chart serve as its legend. */
function panelChart(points: readonly CostPoint[], axes: { unit: string; axis?: string }): Chart {
  return { ...costChart(points, { scale: 'log', ...axes }), hasNoLegend: true }
}

function rankedBands(rows: readonly TableRow[]): BandRows[] {
  const pools = rankedPools(rows.map(({ pool }) => pool))
  return splitRows(rows).filter(({ band: { pool } }) => pool !== null && pools.includes(pool))
}

type PanelProps = { title: string; note?: string; className?: string; children: ReactNode }

function Panel({ title, note, className, children }: PanelProps) {
  const id = useId()
  return (
    <section
      aria-labelledby={id}
      className={classNames(
        'min-w-0 rounded-lg border border-line bg-surface px-4 py-4 sm:px-5',
        className,
      )}
    >
      <h2 className="font-semibold text-base" id={id}>
        {title}
      </h2>
      {note === undefined ? null : <p className="text-muted">{note}</p>}
      {children}
    </section>
  )
}

type TopEntriesProps = { suiteId: string; rows: readonly TableRow[] }

/** The best entries as large bars with their intervals. */
function TopEntries({ suiteId, rows }: TopEntriesProps) {
  return (
    <ol className="mt-4 space-y-3">
      {rows.map((row) => (
        <TopEntry isStacked={rows.some(isLong)} key={row.id} row={row} suiteId={suiteId} />
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

type TopEntryProps = { suiteId: string; row: TableRow; isStacked: boolean }

/** A long name breaks and is never cut. */
function TopEntry({ suiteId, row, isStacked }: TopEntryProps) {
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
        <RateBar colour={row.colour} high={success.high} low={success.low} rate={success.rate} />
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

type RateBarProps = { rate: number | null; low: number | null; high: number | null; colour: number }

function RateBar({ rate, low, high, colour }: RateBarProps) {
  if (rate === null) return <span />
  const left = `${((low ?? rate) * 100).toFixed(2)}%`
  const width = `${(((high ?? rate) - (low ?? rate)) * 100).toFixed(2)}%`
  return (
    <span aria-hidden="true" className={`relative block h-6 ${toneOf(colour)}`}>
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
