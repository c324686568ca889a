import type { ChartScale } from '#lib/domain/api/index.ts'
import type { Distribution, EntryStyle } from '#lib/domain/board/index.ts'
import { sampleQuantile } from '#lib/domain/statistics/index.ts'
import { formatCount, formatDuration, UNKNOWN } from '../ui/format.ts'
import { AXIS_HEIGHT, bottomAxis, leftAxis, legend } from './axes.ts'
import { type Drawing, group, isNarrow, path, rounded, strokeOf } from './drawing.ts'
import { type ChartEntry, describeSample, type Figure } from './figure.ts'
import { linearScale, logScale, percentScale } from './scale.ts'

/** A point of an empirical distribution: this share of the sample is at or below the value. */
export type Step = { value: number; share: number }

/** A whole sample rises by an equal part at each value; of quantiles, each has its own share. */
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

/** `median` as every table has it, in the unit of the row; the steps only come near it. */
type Curve = {
  name: string
  style: EntryStyle
  episodes: number
  steps: Step[]
  median: number | null
}

/** The share of solved episodes that took at most so much, a curve for each entry; null where nothing is known. */
export function distributionFigure(
  measure: MeasureName,
  entries: readonly ChartEntry[],
  scale: ChartScale,
): Figure | null {
  const { title, unitName, of, median, divisor, unit } = MEASURES[measure]
  const known = entries.filter(({ row }) => of(row) !== null)
  const curves = known.flatMap(({ name, style, row }): Curve[] => {
    const found = of(row)
    if (!found) return []
    const steps = ecdf(found).map(({ value, share }) => ({ value: value / divisor, share }))
    return [{ name, style, episodes: found.episodes, steps, median: median(row) }]
  })
  if (curves.length === 0) return null
  const solved = curves.reduce((sum, { episodes }) => sum + episodes, 0)
  return {
    title,
    unit: `${unitName} (${scale} scale), share in per cent`,
    sample: `${describeSample(known)}, ${formatCount(solved)} solved`,
    method:
      'Empirical distribution of the solved episodes: the further left a curve, the less it takes. Of more than 33 episodes, 33 quantiles are drawn.',
    notes:
      known.length < entries.length
        ? ['Entries without a solved episode, or with an unknown value, have no curve.']
        : [],
    draw: (width) => ecdfDrawing(curves, { width, scale, measure }),
    table: [
      ['entry', 'solved episodes', 'share', unit],
      ...curves.flatMap(({ name, episodes, steps }) =>
        steps.map(({ value, share }) => [name, episodes, Number(share.toFixed(4)), value]),
      ),
    ],
  }
}

const HEIGHT = 280

type EcdfLayout = { width: number; scale: ChartScale; measure: MeasureName }

function ecdfDrawing(curves: readonly Curve[], { width, scale, measure }: EcdfLayout): Drawing {
  const { title, format, unit } = MEASURES[measure]
  const bottom = HEIGHT - (isNarrow(width) ? 30 : 0)
  const plot = { left: 44, right: width - 12, top: 24, bottom }
  const values = curves.flatMap(({ steps }) => steps.map(({ value }) => value))
  const places = [plot.left, plot.right] as const
  const x =
    scale === 'log' ? logScale(values, places) : linearScale([0, Math.max(...values)], places)
  const y = percentScale([plot.bottom, plot.top])
  const names = legend(curves, bottom + AXIS_HEIGHT, width)
  const describe = ({ name, median }: Curve) =>
    `${name}: median ${median === null ? UNKNOWN : format(median)}`
  const drawn = curves.map((curve) => {
    const { steps } = curve
    const { tone, dash } = strokeOf(curve.style)
    const d = steps
      .map(({ value, share }) => `H${rounded(x.at(value))}V${rounded(y.at(share * 100))}`)
      .join('')
    const start = `M${rounded(x.at(steps[0]?.value ?? 0))} ${plot.bottom}`
    return group(describe(curve), [path(`${start}${d}H${plot.right}`, tone, { width: 1.75, dash })])
  })
  const said = curves.map(describe)
  return {
    width,
    height: bottom + AXIS_HEIGHT + names.height,
    label: `${title}. ${said.join('; ')}.`,
    nodes: [
      ...leftAxis(y, plot, 'Share of solved episodes'),
      ...bottomAxis(x, plot, { title: `${unit}, ${scale} scale →`, grid: true }),
      ...drawn,
      ...names.nodes,
    ],
  }
}
