import type { ChartScale } from '#lib/domain/api/index.ts'
import type { Distribution } from '#lib/domain/board/index.ts'
import { sampleQuantile } from '#lib/domain/statistics/index.ts'
import { countOf } from '#lib/domain/text/index.ts'
import { formatCount, formatDuration, percentOf, UNKNOWN } from '../ui/format.ts'
import type { Chart } from './chart.ts'
import { type ChartEntry, describeSample, type Figure, linkTo, toSeries } from './figure.ts'

/** A point of an empirical distribution: `share` of the sample is at or below `value`. */
export type Step = { value: number; share: number }

/** A complete sample rises by equal steps; quantiles have their own shares. */
export function ecdf({ episodes, values }: Distribution): Step[] {
  const isWhole = values.length === episodes
  const last = Math.max(values.length - 1, 1)
  return values.map((value, index) => ({
    value,
    share: isWhole ? (index + 1) / values.length : index / last,
  }))
}

const MEASURES = {
  'time-distribution': {
    title: 'Distribution of time',
    unit: 's',
    unitName: 'seconds per solved episode',
    of: (row: ChartEntry['row']) => row.distributions?.solvedMs ?? null,
    median: (row: ChartEntry['row']) => row.solvedMs.p50,
    divisor: 1000,
    format: formatDuration,
  },
  'token-distribution': {
    title: 'Distribution of tokens',
    unit: 'tokens',
    unitName: 'input and output tokens per solved episode',
    of: (row: ChartEntry['row']) => row.distributions?.solvedTokens ?? null,
    median: (row: ChartEntry['row']) =>
      sampleQuantile(row.distributions?.solvedTokens?.values ?? [], 0.5),
    divisor: 1,
    format: (value: number) => formatCount(Math.round(value)),
  },
} as const
type MeasureName = keyof typeof MEASURES

/** Cumulative distribution of solved episodes, with one curve per entry; null if nothing is known. */
export function distributionFigure(
  measure: MeasureName,
  entries: readonly ChartEntry[],
  scale: ChartScale,
): Figure | null {
  const { title, unitName, of, unit } = MEASURES[measure]
  const known = entries.filter(({ row }) => of(row) !== null)
  const curves = known.flatMap((entry) => toCurve(entry, measure) ?? [])
  if (curves.length === 0) return null
  const solved = curves.reduce((sum, { episodes }) => sum + episodes, 0)
  return {
    title,
    unit: `${unitName}, share in per cent`,
    sample: `${describeSample(known)}, ${formatCount(solved)} solved`,
    method:
      'Empirical distribution of the solved episodes: the further left a curve, the less it takes. Of more than 33 episodes, 33 quantiles are drawn.',
    notes:
      known.length < entries.length
        ? ['Entries without a solved episode, or with an unknown value, have no curve.']
        : [],
    chart: distributionChart(curves, measure, scale),
    table: [
      ['entry', 'solved episodes', 'share', unit],
      ...curves.flatMap(({ entry, episodes, steps }) =>
        steps.map(({ value, share }) => [entry.name, episodes, Number(share.toFixed(4)), value]),
      ),
    ],
    columns: { 2: 'share' },
  }
}

/** `median` is the stored value, as in every table; the steps only approximate it. */
type Curve = { entry: ChartEntry; episodes: number; steps: Step[]; median: number | null }

function toCurve(entry: ChartEntry, measure: MeasureName): Curve | null {
  const { of, median, divisor } = MEASURES[measure]
  const found = of(entry.row)
  if (!found) return null
  const steps = ecdf(found).map(({ value, share }) => ({ value: value / divisor, share }))
  return { entry, episodes: found.episodes, steps, median: median(entry.row) }
}

function distributionChart(
  curves: readonly Curve[],
  measure: MeasureName,
  scale: ChartScale,
): Chart {
  const { title, format, unit, divisor } = MEASURES[measure]
  const descriptions = curves.map(
    ({ entry, median }) => `${entry.name}: median ${median === null ? UNKNOWN : format(median)}`,
  )
  return {
    label: `${title}. ${descriptions.join('; ')}.`,
    x: { title: unit, format: 'number', scale, hasScales: true },
    y: { title: 'Share of solved episodes', format: 'percent', scale: 'linear' },
    series: curves.map(({ entry }) => toSeries(entry)),
    points: curves.flatMap(({ entry, steps, episodes }, series) =>
      steps.map(({ value, share }, index) => ({
        id: `${entry.id} ${index}`,
        series,
        name: entry.name,
        x: value,
        y: share * 100,
        isSolid: entry.pool !== null,
        text: `${percentOf(share)} done at ${format(value * divisor)}, n: ${countOf(episodes, 'solved episode')}`,
        ...linkTo(entry),
      })),
    ),
    join: 'step',
    height: { wide: 320, narrow: 300 },
  }
}
