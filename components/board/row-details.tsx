import Link from 'next/link'
import { EVIDENCE_WORDS } from '#lib/domain/board/index.ts'
import { formatInterval, formatPercent } from '../ui/format.ts'
import { FactList } from '../ui/layout.tsx'
import { type DataColumn, DataTable } from '../ui/table.tsx'
import { BadgeLine } from './badge-line.tsx'
import type { RowDetail, TableRow } from './board-view.ts'
import { RefusalList, RowActions } from './refusals.tsx'

type RowDetailsProps = { row: TableRow; detail: RowDetail }

/** Details of an open row: why it is not ranked, how to fix that, and how it was measured. */
export function RowDetails({ row, detail }: RowDetailsProps) {
  const { refusals, facts, reliability } = detail
  const runs = row.runIds.slice(-5).reverse()
  return (
    <div className="grid gap-x-10 gap-y-5 whitespace-normal lg:grid-cols-2">
      <div>
        <p className="mb-2 font-medium">
          {refusals.length > 0 ? 'Why this entry is not ranked' : EVIDENCE_WORDS[row.label].meaning}
        </p>
        <RefusalList refusals={refusals} />
        <RowActions
          refusals={refusals}
          rowId={row.id}
          subject={row.subject}
          suiteId={row.suiteId}
        />
        <BadgeLine rowId={row.id} />
        {reliability ? (
          <ReliabilityChart reliability={reliability} solid={row.pool !== null} />
        ) : null}
      </div>
      <FactList
        facts={[
          ...facts,
          {
            name: row.runIds.length > runs.length ? 'Latest runs' : 'Runs',
            value: (
              <span className="flex flex-wrap gap-x-3">
                {runs.map((runId) => (
                  <Link className="link" href={`/runs/${runId}`} key={runId} prefetch={false}>
                    {runId}
                  </Link>
                ))}
              </span>
            ),
          },
        ]}
      />
    </div>
  )
}

type ReliabilityChartProps = {
  reliability: NonNullable<RowDetail['reliability']>
  /** A ranked row is drawn full, any other hollow. */
  solid: boolean
}

const WIDTH = 320
const HEIGHT = 160
const PLOT = { left: 42, right: 308, top: 10, bottom: 122 }

/** pass^k over k with its confidence band, and the same values as a table. Works without scripts. */
function ReliabilityChart({ reliability, solid }: ReliabilityChartProps) {
  const { points, method } = reliability
  const last = points.at(-1)
  if (!last) return null
  return (
    <figure className="mt-5">
      <figcaption className="mb-2 font-medium">
        Consistency (pass^k)
        <span className="block font-normal text-muted">
          Probability that k attempts at the same task all succeed, with 95 % confidence intervals.
        </span>
      </figcaption>
      <div className="flex flex-wrap items-start gap-x-6 gap-y-2">
        <Curve last={last.k} points={points} solid={solid} />
        <CurveTable points={points} />
      </div>
      <p className="mt-1 max-w-xl text-muted text-xs">{method}</p>
    </figure>
  )
}

type Points = NonNullable<RowDetail['reliability']>['points']

function Curve({ points, last, solid }: { points: Points; last: number; solid: boolean }) {
  const x = (k: number) =>
    (PLOT.left + ((k - 1) / Math.max(last - 1, 1)) * (PLOT.right - PLOT.left)).toFixed(1)
  const y = (rate: number) => (PLOT.bottom - rate * (PLOT.bottom - PLOT.top)).toFixed(1)
  const above = points.map(({ k, high }) => `${x(k)},${y(high)}`)
  const below = points.map(({ k, low }) => `${x(k)},${y(low)}`).reverse()
  const ink = solid ? 'stroke-accent' : 'stroke-muted'
  const [first] = points
  const label = `pass^k from ${formatPercent(first?.rate ?? null)} % at k = 1 to ${formatPercent(points.at(-1)?.rate ?? null)} % at k = ${last}. The table next to it shows the same values.`
  return (
    <svg
      aria-label={label}
      className="h-auto w-full max-w-80"
      role="img"
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
    >
      {[0, 0.5, 1].map((rate) => (
        <g key={rate}>
          <line className="stroke-line" x1={PLOT.left} x2={PLOT.right} y1={y(rate)} y2={y(rate)} />
          <text
            className="fill-muted text-xs"
            dominantBaseline="middle"
            textAnchor="end"
            x={PLOT.left - 6}
            y={y(rate)}
          >
            {rate * 100} %
          </text>
        </g>
      ))}
      <polygon
        className={solid ? 'fill-accent' : 'fill-muted'}
        fillOpacity="0.18"
        points={[...above, ...below].join(' ')}
      />
      <polyline
        className={ink}
        fill="none"
        points={points.map(({ k, rate }) => `${x(k)},${y(rate)}`).join(' ')}
        strokeWidth="1.5"
      />
      {points.map(({ k, rate }) => (
        <g key={k}>
          <circle
            className={`${ink} ${solid ? 'fill-accent' : 'fill-surface'}`}
            cx={x(k)}
            cy={y(rate)}
            r="3.5"
            strokeWidth="1.5"
          />
          <text className="fill-muted text-xs" textAnchor="middle" x={x(k)} y={PLOT.bottom + 16}>
            {k}
          </text>
        </g>
      ))}
      <text
        className="fill-muted text-xs"
        textAnchor="middle"
        x={(PLOT.left + PLOT.right) / 2}
        y={HEIGHT - 4}
      >
        k attempts
      </text>
    </svg>
  )
}

const CURVE_COLUMNS: readonly DataColumn<Points[number]>[] = [
  { head: 'k', cell: ({ k }) => k, rowHeader: 'font-normal', cellClass: 'py-0.5 pr-4' },
  { head: 'pass^k', cell: ({ rate }) => `${formatPercent(rate)} %`, cellClass: 'pr-4' },
  { head: '95 % CI', cell: ({ low, high }) => formatInterval(low, high) },
]

function CurveTable({ points }: { points: Points }) {
  return (
    <DataTable
      caption="pass^k with 95 % confidence intervals"
      className="text-xs"
      columns={CURVE_COLUMNS}
      headClass="pr-4 pb-1 text-muted"
      keyOf={({ k }) => k}
      rows={points}
    />
  )
}
