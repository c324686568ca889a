import type { BoardChart, ChartScale } from '#lib/domain/api/index.ts'
import type { Board } from '#lib/domain/board/index.ts'
import type { BoardBand } from '../board/board-view.ts'
import { shortDigest } from '../ui/format.ts'
import { costFigure } from './cost-figure.ts'
import type { Card } from './drawing-svg.ts'
import { distributionFigure } from './ecdf-figure.ts'
import { failureFigure } from './failure-figure.ts'
import { type Band, type ChartEntry, type Figure, splitEntries } from './figure.ts'
import { successFigure, timeFigure } from './range-figure.ts'
import { recoveryFigure } from './recovery-figure.ts'
import { reliabilityFigure } from './reliability-figure.ts'
import { taskFigure } from './task-figure.ts'

/** The most curves that readers can distinguish. */
export const MOST_CURVES = 6

/** Instead of a band: entries that were selected one by one. */
export const EVERY_BAND = 'all'

export type FigureOptions = {
  /** A band of the board; null = the first of which there is something to draw. */
  band: string | null
  scale: ChartScale
  /** Row ids of the curves to draw; none = the first of the band. */
  chosen: readonly string[]
}

/** A chart of a board's entries; null = none of them has what it draws. */
export function buildFigure(
  chart: BoardChart,
  board: Board,
  entries: readonly ChartEntry[],
  options: FigureOptions,
): Figure | null {
  const band = BAND_CHARTS.includes(chart) ? chooseBand(chart, board, entries, options) : undefined
  const own = options.band === EVERY_BAND ? entries : (band?.entries ?? [])
  return drawEntries(chart, board, { all: entries, own, band: band?.band ?? null }, options)
}

type Shown = { all: readonly ChartEntry[]; own: readonly ChartEntry[]; band: BoardBand | null }

function drawEntries(
  chart: BoardChart,
  board: Board,
  { all: entries, own, band }: Shown,
  options: FigureOptions,
): Figure | null {
  const curves = chooseCurves(own, options.chosen)
  switch (chart) {
    case 'success':
      return successFigure(entries)
    case 'time':
      return timeFigure(entries)
    case 'cost':
      return costFigure(withUnranked(own, entries), options.scale)
    case 'time-distribution':
    case 'token-distribution':
      return distributionFigure(chart, curves, options.scale)
    case 'tasks':
      return taskFigure(own, { tasks: board.suite.tasks, isSorted: band?.pool !== null })
    case 'reliability':
      return reliabilityFigure(curves)
    case 'failures':
      return failureFigure(own)
    case 'recovery':
      return recoveryFigure(entries)
  }
}

/** Charts of one band alone: only entries that are ranked together may share one order. */
export const BAND_CHARTS: readonly BoardChart[] = [
  'cost',
  'time-distribution',
  'token-distribution',
  'tasks',
  'reliability',
  'failures',
]

/** Charts with a curve for each of a few entries. */
export const CURVE_CHARTS: readonly BoardChart[] = [
  'time-distribution',
  'token-distribution',
  'reliability',
]

/** Charts with an axis that can be logarithmic. */
export const SCALED_CHARTS: readonly BoardChart[] = [
  'cost',
  'time-distribution',
  'token-distribution',
]

/** The requested band, else the first of which the chart has something to draw, else the first. */
export function chooseBand(
  chart: BoardChart,
  board: Board,
  entries: readonly ChartEntry[],
  options: FigureOptions,
): Band | undefined {
  const bands = splitEntries(entries)
  const isDrawn = ({ band, entries: own }: Band) =>
    drawEntries(chart, board, { all: entries, own, band }, options) !== null
  return bands.find(({ band }) => band.id === options.band) ?? bands.find(isDrawn) ?? bands[0]
}

/** The requested curves, else the first ones. */
export function chooseCurves(
  entries: readonly ChartEntry[],
  chosen: readonly string[],
): ChartEntry[] {
  const asked = entries.filter(({ id }) => chosen.includes(id))
  return (asked.length > 0 ? asked : entries).slice(0, MOST_CURVES)
}

/** The entries of a band and, with hollow markers, those that are not ranked. */
function withUnranked(own: readonly ChartEntry[], all: readonly ChartEntry[]): ChartEntry[] {
  const rest = all.filter((entry) => entry.pool === null && !own.includes(entry))
  return [...own, ...rest]
}

type CardSource = {
  suite: Pick<Board['suite'], 'suiteId' | 'title' | 'digest'>
  updated: string | null
}

/** What a file says around its drawing: what it shows, and where it is from. */
export function describeCard(figure: Figure, source: CardSource, address: string): Card {
  const { suite, updated } = source
  const date = updated === null ? [] : [`measured until ${updated.slice(0, 10)}`]
  return {
    title: `${figure.title} · ${suite.title}`,
    lines: [`Unit: ${figure.unit}. ${figure.method}`, ...figure.notes],
    footer: [
      [
        `Suite ${suite.suiteId}, version ${shortDigest(suite.digest)}`,
        `n: ${figure.sample}`,
        ...date,
      ].join(' · '),
      `Proofboard · ${address}`,
    ],
  }
}

/** When the latest of some entries was measured; null = there is none. */
export function latestOf(rows: readonly { lastStartedAt: string }[]): string | null {
  return (
    rows
      .map(({ lastStartedAt }) => lastStartedAt)
      .sort()
      .at(-1) ?? null
  )
}
