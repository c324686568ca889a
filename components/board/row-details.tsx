import {
  type BoardRow,
  badgeMarkdown,
  badgePath,
  EVIDENCE_WORDS,
  rankPoolOf,
} from '#lib/domain/board/index.ts'
import { FigureChart } from '../charts/figure-chart.tsx'
import { reliabilityChart } from '../charts/reliability-figure.ts'
import { CopyButton } from '../ui/controls.tsx'
import type { DataColumn } from '../ui/data-column.ts'
import { formatInterval, percentOf } from '../ui/format.ts'
import { FactList } from '../ui/layout.tsx'
import { DataTable } from '../ui/table.tsx'
import { RefusalList, RowActions } from './refusals.tsx'
import type { RowDetail } from './table-row.ts'

const ORIGIN = '{origin}'

type RowDetailsProps = {
  row: BoardRow
  detail: RowDetail
  /** Colour of the entry; absent = the page shows no others. */
  colour?: number | undefined
}

/** Details of an open row: why it is not ranked, how to fix that, and how it was measured. */
export function RowDetails({ row, detail, colour = 0 }: RowDetailsProps) {
  const { refusals, facts, reliability } = detail
  const runs = row.runIds.slice(-5).reverse()
  return (
    <div className="grid gap-x-10 gap-y-5 whitespace-normal lg:grid-cols-2">
      <div>
        <p className="mb-2 font-medium">{headingOf(row, refusals.length)}</p>
        <RefusalList refusals={refusals} />
        <RowActions
          refusals={refusals}
          rowId={row.rowId}
          subject={row.subject}
          suiteId={row.suiteId}
        />
        <BadgeLine
          markdown={badgeMarkdown(ORIGIN, row.rowId)}
          origin={ORIGIN}
          path={badgePath(row.rowId)}
        />
        {reliability ? (
          <ReliabilityChart
            colour={colour}
            reliability={reliability}
            solid={rankPoolOf(row) !== null}
          />
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
                  <a className="link" href={`/runs/${runId}`} key={runId}>
                    {runId}
                  </a>
                ))}
              </span>
            ),
          },
        ]}
      />
    </div>
  )
}

/** An entry in escrow is ranked although some rules are not met. */
function headingOf(row: BoardRow, refusals: number): string {
  if (refusals === 0) return EVIDENCE_WORDS[row.label].meaning
  return rankPoolOf(row) === null
    ? 'Why this entry is not ranked'
    : 'Why this entry is ranked among entries in escrow only'
}

type BadgeLineProps = {
  path: string
  markdown: string
  /** Placeholder in the Markdown, replaced by this site's address in the browser. */
  origin: string
}

/** An entry's badge and the Markdown to embed it in a README. */
function BadgeLine({ path, markdown, origin }: BadgeLineProps) {
  return (
    <div className="mt-3 flex flex-wrap items-center gap-x-3 gap-y-1">
      {/* biome-ignore lint/performance/noImgElement: shows the same SVG as a README will. */}
      <img alt="Badge of this entry" className="h-5 max-w-full" src={path} />
      <CopyButton label="Copy badge" origin={origin} text={markdown} />
    </div>
  )
}

type ReliabilityChartProps = {
  reliability: NonNullable<RowDetail['reliability']>
  /** True for a ranked row, which is drawn filled; otherwise hollow. */
  solid: boolean
  /** 0 = none. */
  colour: number
}

const HEIGHT = 190

/** pass^k over k with its confidence band, and the same values as a table. */
function ReliabilityChart({ reliability, solid, colour }: ReliabilityChartProps) {
  const { points, method } = reliability
  if (points.length === 0) return null
  const series = { id: 'entry', name: 'This entry', style: { colour, pattern: 0 } }
  const curve = { series, claim: solid, size: '', points }
  return (
    <figure className="mt-5">
      <figcaption className="mb-2 font-medium">
        Consistency (pass^k)
        <span className="block font-normal text-muted">
          Probability that k attempts at the same task all succeed, with 95&nbsp;% confidence
          intervals.
        </span>
      </figcaption>
      <div className="flex flex-wrap items-start gap-x-6 gap-y-2">
        <div className="w-full max-w-80">
          <FigureChart chart={reliabilityChart([curve], HEIGHT)} />
        </div>
        <CurveTable points={points} />
      </div>
      <p className="mt-1 max-w-xl text-muted text-xs">{method}</p>
    </figure>
  )
}

type Points = NonNullable<RowDetail['reliability']>['points']

const CURVE_COLUMNS: readonly DataColumn<Points[number]>[] = [
  { head: 'k', cell: ({ k }) => k, rowHeader: 'font-normal', cellClass: 'py-0.5 pr-4' },
  { head: 'pass^k', cell: ({ rate }) => percentOf(rate), cellClass: 'pr-4' },
  { head: '95\u00a0% CI', cell: ({ low, high }) => formatInterval(low, high) },
]

function CurveTable({ points }: { points: Points }) {
  return (
    <DataTable
      caption="pass^k with 95&nbsp;% confidence intervals"
      className="text-xs"
      columns={CURVE_COLUMNS}
      headClass="pr-4 pb-1 text-muted"
      keyOf={({ k }) => k}
      rows={points}
    />
  )
}
