import { Fragment, type ReactNode } from 'react'
import type { BoardChart } from '#lib/domain/api/index.ts'
import { type Board, rankPoolOf } from '#lib/domain/board/index.ts'
import {
  BAND_CHARTS,
  buildFigure,
  CURVE_CHARTS,
  chooseBand,
  chooseCurves,
  latestOf,
} from '../charts/build-figure.ts'
import type { ChartQuery } from '../charts/chart-address.ts'
import {
  type Band,
  type ChartEntry,
  type Figure,
  splitEntries,
  toChartEntries,
} from '../charts/figure.ts'
import { FigureView } from '../charts/figure-view.tsx'
import { Section } from '../ui/layout.tsx'
import { type BoardView, boardAddress, CHARTS, type ChartName } from './board-view.ts'
import { type ChartChange, ChartLink, ChartLinks } from './chart-link.tsx'
import { TaskMatrix } from './task-matrix.tsx'

/** The content of each tab; `lacks` names the data that no entry has. */
const TABS: Record<ChartName, { title: string; charts: readonly BoardChart[]; lacks: string }> = {
  success: { title: 'Success', charts: ['success'], lacks: 'success rate' },
  cost: { title: 'Cost', charts: ['cost'], lacks: 'cost' },
  time: { title: 'Time', charts: ['time', 'time-distribution'], lacks: 'solved episode' },
  tokens: { title: 'Tokens', charts: ['token-distribution'], lacks: 'known number of tokens' },
  tasks: { title: 'Tasks', charts: ['tasks'], lacks: 'task' },
  reliability: { title: 'Consistency', charts: ['reliability'], lacks: 'repeated task' },
  failures: { title: 'Failures', charts: ['failures'], lacks: 'scored episode' },
  recovery: {
    title: 'Recovery',
    charts: ['recovery'],
    lacks: 'result both without and with a fault',
  },
}

type BoardChartsProps = {
  board: Board
  view: BoardView
  /** Ids of the rows that match search and filters. */
  shown: ReadonlySet<string>
}

/** The charts of the rows in view, one tab at a time. */
export function BoardCharts({ board, view, shown }: BoardChartsProps) {
  const entries = toChartEntries(board.rows, rankPoolOf).filter(({ id }) => shown.has(id))
  const { charts, lacks } = TABS[view.chart]
  const { scale, entries: chosen } = view
  const ofBand = charts.find((chart) => BAND_CHARTS.includes(chart))
  const band = ofBand && chooseBand(ofBand, board, entries, { band: view.band, scale, chosen })
  const options = { band: band?.band.id ?? null, scale, chosen }
  const parts = charts.flatMap((chart) => {
    const figure = buildFigure(chart, board, entries, options)
    return figure ? { chart, figure } : []
  })
  return (
    <ChartLinks>
      <Section aside={<Tabs view={view} />} id="charts" title="Charts">
        {parts.map(({ chart, figure }) => (
          <Fragment key={chart}>
            {/* Next to the chart of one band; other charts of the tab show all bands. */}
            {band && chart === ofBand ? (
              <BandLinks current={band.band.id} entries={entries} view={view} />
            ) : null}
            <BoardFigure
              band={band}
              board={board}
              chart={chart}
              entries={entries}
              figure={figure}
              view={view}
            />
          </Fragment>
        ))}
        {parts.length > 0 ? null : (
          <p className="border-line border-y py-6 text-base text-muted">
            No entry in view has a {lacks} yet.
          </p>
        )}
      </Section>
    </ChartLinks>
  )
}

function Tabs({ view }: { view: BoardView }) {
  return (
    <nav aria-label="Chart" className="on-screen flex flex-wrap gap-1">
      {CHARTS.map((name) => (
        <Choice isCurrent={name === view.chart} key={name} change={{ chart: name }} view={view}>
          {TABS[name].title}
        </Choice>
      ))}
    </nav>
  )
}

type ChoiceProps = { view: BoardView; change: ChartChange; isCurrent: boolean; children: ReactNode }

/** A link to the page with this choice, which also works without JavaScript. */
function Choice({ view, change, isCurrent, children }: ChoiceProps) {
  return (
    <ChartLink
      change={change}
      href={`${boardAddress({ ...view, ...change })}#charts`}
      isCurrent={isCurrent}
    >
      {children}
    </ChartLink>
  )
}

type EntriesProps = { entries: readonly ChartEntry[]; view: BoardView }

/** Selects one band: ranked entries of different pools are never in one order. */
function BandLinks({ current, entries, view }: EntriesProps & { current: string }) {
  const bands = splitEntries(entries)
  if (bands.length < 2) return null
  return (
    <nav aria-label="Entries of the chart" className="mt-1 flex flex-wrap gap-1">
      {bands.map(({ band, entries: own }) => (
        <Choice
          isCurrent={band.id === current}
          key={band.id}
          change={{ band: band.id, entries: [] }}
          view={view}
        >
          {band.title} ({own.length})
        </Choice>
      ))}
    </nav>
  )
}

type BoardFigureProps = EntriesProps & {
  band: Band | undefined
  board: Board
  chart: BoardChart
  figure: Figure
}

function BoardFigure({ band, board, chart, entries, figure, view }: BoardFigureProps) {
  const own = band?.entries ?? []
  return (
    <FigureView
      figure={figure}
      query={queryOf({ band, board, chart, entries }, view)}
      source={{ suite: board.suite, updated: latestOf(board.rows) }}
    >
      {chart === 'tasks' ? (
        <TaskMatrix
          board={board}
          entries={own}
          isSorted={band?.band.pool !== null}
          version={view.version}
        />
      ) : undefined}
    </FigureView>
  )
}

/** Query of the chart's files: limited to the visible rows if those are not all. */
function queryOf(
  { band: own, board, chart, entries }: Omit<BoardFigureProps, 'figure' | 'view'>,
  { entries: chosen, version }: BoardView,
): ChartQuery {
  const isCurve = CURVE_CHARTS.includes(chart)
  const drawn = isCurve
    ? chooseCurves(own?.entries ?? [], chosen).filter(({ isHidden }) => !isHidden)
    : entries
  const isPart = entries.length < board.rows.length || (isCurve && chosen.length > 0)
  return {
    suite: board.suite.suiteId,
    version,
    chart,
    ...(BAND_CHARTS.includes(chart) ? { band: own?.band.id } : {}),
    ...(isPart ? { entries: drawn.map(({ id }) => id).join() } : {}),
  }
}
