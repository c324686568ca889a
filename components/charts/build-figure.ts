import type { BoardChart, ChartScale } from '#lib/domain/api/index.ts'
import type { Board } from '#lib/domain/board/index.ts'
import type { BoardBand } from '../board/board-view.ts'
import { costFigure } from './cost-figure.ts'
import { distributionFigure } from './ecdf-figure.ts'
import { failureFigure } from './failure-figure.ts'
import { type Band, type ChartEntry, type Figure, splitEntries } from './figure.ts'
import { successFigure, timeFigure } from './range-figure.ts'
import { recoveryFigure } from './recovery-figure.ts'
import { reliabilityFigure } from './reliability-figure.ts'
import { taskFigure } from './task-figure.ts'

/** Number of curves that are drawn by default. */
const SHOWN_CURVES = 6
const MAX_CURVES = 24

/** Value of `band` for entries that were selected one by one. */
export const EVERY_BAND = 'all'

export type FigureOptions = {
  /** A band of the board; null = the first with data. */
  band: string | null
  scale: ChartScale
  /** Row ids of the curves to draw; empty = the first of the band. */
  chosen: readonly string[]
}

/** Builds a chart of a board's entries; null = none of them has data for it. */
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

type ShownEntries = {
  all: readonly ChartEntry[]
  own: readonly ChartEntry[]
  band: BoardBand | null
}

function drawEntries(
  chart: BoardChart,
  board: Board,
  { all: entries, own, band }: ShownEntries,
  options: FigureOptions,
): Figure | null {
  const curves = chooseCurves(own, options.chosen)
  switch (chart) {
    case 'success':
      return successFigure(entries)
    case 'time':
      return timeFigure(entries)
    case 'cost':
      return costFigure(own, options.scale)
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

/** Charts of a single band, because only entries that are ranked together may be in one order. */
export const BAND_CHARTS: readonly BoardChart[] = [
  'cost',
  'time-distribution',
  'token-distribution',
  'tasks',
  'reliability',
  'failures',
]

/** Charts with one curve per entry, for a few entries. */
export const CURVE_CHARTS: readonly BoardChart[] = [
  'time-distribution',
  'token-distribution',
  'reliability',
]

/** Returns the requested band, otherwise the first for which the chart has data, otherwise the first. */
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

/** Returns the entries with a curve; initially visible are the requested ones, otherwise the first. */
export function chooseCurves(
  entries: readonly ChartEntry[],
  chosen: readonly string[] = [],
): ChartEntry[] {
  const isRequested = entries.some(({ id }) => chosen.includes(id))
  return entries.slice(0, MAX_CURVES).map((entry, index) => {
    const isDrawn = isRequested ? chosen.includes(entry.id) : index < SHOWN_CURVES
    return isDrawn ? entry : { ...entry, isHidden: true }
  })
}

/** Time of the latest measurement of some entries; null = there are none. */
export function latestOf(rows: readonly { lastStartedAt: string }[]): string | null {
  return (
    rows
      .map(({ lastStartedAt }) => lastStartedAt)
      .sort()
      .at(-1) ?? null
  )
}
