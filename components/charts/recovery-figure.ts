import type { BoardRow, EntryStyle } from '#lib/domain/board/index.ts'
import { countOf, formatShare } from '#lib/domain/record/index.ts'
import { rowInterval } from '#lib/domain/statistics/index.ts'
import { formatInterval, formatPercent } from '../ui/format.ts'
import { leftAxis } from './axes.ts'
import {
  type Drawing,
  fitted,
  group,
  isNarrow,
  line,
  mark,
  type SvgNode,
  strokeOf,
  text,
  whisker,
} from './drawing.ts'
import { type ChartEntry, type Figure, limitNote } from './figure.ts'
import { type AxisScale, percentScale } from './scale.ts'

type End = { rate: number; low: number; high: number }

/** One subject without a fault and under one, over the tasks that both have. */
export type RecoverySlope = {
  name: string
  style: EntryStyle
  fault: string
  tasks: number
  episodes: number
  claim: boolean
  plain: End
  faulted: End
}

const MOST_SLOPES = 12

/** From plain to fault: what an injected fault costs each entry; null where no entry ran both ways. */
export function recoveryFigure(entries: readonly ChartEntry[]): Figure | null {
  const slopes = findSlopes(entries)
  if (slopes.length === 0) return null
  const episodes = slopes.reduce((sum, slope) => sum + slope.episodes, 0)
  return {
    title: 'Plain and under fault',
    unit: 'success in per cent',
    sample: `${countOf(slopes.length, 'pair')} of entries, ${countOf(Math.max(...slopes.map(({ tasks }) => tasks)), 'task')}, ${countOf(episodes, 'scored episode')}`,
    method:
      'The same program without a fault and with one, on the tasks that both ran, with 95 % confidence intervals. Filled markers: both entries are ranked.',
    notes: limitNote(Math.min(slopes.length, MOST_SLOPES), slopes.length),
    draw: (width) => slopeDrawing(slopes.slice(0, MOST_SLOPES), width),
    table: [
      ['entry', 'fault', 'tasks', 'plain, %', 'from', 'to', 'under fault, %', 'from', 'to'],
      ...slopes.map(({ name, fault, tasks, plain, faulted }) => [
        name,
        fault,
        tasks,
        ...[plain, faulted].flatMap(({ rate, low, high }) =>
          [rate, low, high].map((value) => Number((value * 100).toFixed(2))),
        ),
      ]),
    ],
  }
}

/** Each row under a fault beside the row that differs from it in the fault alone. */
export function findSlopes(entries: readonly ChartEntry[]): RecoverySlope[] {
  const plain = new Map(
    entries.filter(({ row }) => !row.settings.fault).map((entry) => [keyOf(entry.row), entry]),
  )
  const slopes = entries.flatMap((entry): RecoverySlope[] => {
    const { fault } = entry.row.settings
    const other = fault ? plain.get(keyOf(entry.row)) : undefined
    return fault && other ? toSlope(other, entry, fault) : []
  })
  return slopes.sort((a, b) => fall(a) - fall(b))
}

function keyOf({ subject, settings }: BoardRow): string {
  const { name, version, modelRequested, targeting } = subject
  return JSON.stringify([
    name,
    version,
    modelRequested,
    targeting,
    settings.browser,
    settings.isolation,
  ])
}

function fall({ plain, faulted }: RecoverySlope): number {
  return plain.rate - faulted.rate
}

function toSlope(plain: ChartEntry, faulted: ChartEntry, fault: string): RecoverySlope[] {
  const common = new Set(scoredTasks(plain).map(({ taskId }) => taskId))
  const both = scoredTasks(faulted).filter(({ taskId }) => common.has(taskId))
  const shared = new Set(both.map(({ taskId }) => taskId))
  const own = scoredTasks(plain).filter(({ taskId }) => shared.has(taskId))
  const [from, to] = [rowInterval(own), rowInterval(both)]
  if (!from.ok || !to.ok) return []
  return [
    {
      name: plain.name,
      style: faulted.style,
      fault,
      tasks: shared.size,
      episodes: [...own, ...both].reduce((sum, { scored }) => sum + scored, 0),
      claim: plain.pool !== null && faulted.pool !== null,
      plain: from.value,
      faulted: to.value,
    },
  ]
}

function scoredTasks({ row }: ChartEntry): BoardRow['tasks'] {
  return row.tasks.filter(({ scored }) => scored > 0)
}

const HEIGHT = 260
const KEY_ROW = 17

function slopeDrawing(slopes: readonly RecoverySlope[], width: number): Drawing {
  const narrow = isNarrow(width)
  const right = narrow ? width - 12 : Math.min(width * 0.55, 420)
  const plot = { left: 44, right, top: 24, bottom: HEIGHT }
  const y = percentScale([plot.bottom, plot.top])
  const nodes = slopes.map((slope, index) =>
    slopeNodes(slope, {
      y,
      left: plot.left + 40,
      right: plot.right - 40,
      index,
      count: slopes.length,
    }),
  )
  const key = slopes.map((slope, index) => {
    const top = narrow ? HEIGHT + 28 + index * KEY_ROW : plot.top + 8 + index * KEY_ROW
    return keyNodes(slope, { x: narrow ? 0 : right + 28, top, width })
  })
  return {
    width,
    height: Math.max(
      HEIGHT + 28,
      ...(narrow
        ? [HEIGHT + 28 + slopes.length * KEY_ROW]
        : [plot.top + 16 + slopes.length * KEY_ROW]),
    ),
    label: `Success without a fault and under one. ${slopes.map(describe).join('; ')}.`,
    nodes: [
      ...leftAxis(y, plot, 'Success'),
      text('plain', plot.left + 40, HEIGHT + 17, { anchor: 'middle', tone: 'ink' }),
      text('under fault', plot.right - 40, HEIGHT + 17, { anchor: 'middle', tone: 'ink' }),
      ...nodes,
      ...key.flat(),
    ],
  }
}

type SlopeLayout = { y: AxisScale; left: number; right: number; index: number; count: number }

function slopeNodes(slope: RecoverySlope, { y, left, right, index, count }: SlopeLayout): SvgNode {
  const { tone, dash } = strokeOf(slope.style)
  // Side by side, so that no whisker covers another.
  const shift = (index - (count - 1) / 2) * 6
  const [a, b] = [left + shift, right + shift]
  const end = (x: number, { low, high }: End) =>
    whisker('y', { at: x, low: y.at(low * 100), high: y.at(high * 100) }, tone)
  const [from, to] = [y.at(slope.plain.rate * 100), y.at(slope.faulted.rate * 100)]
  return group(describe(slope), [
    line([a, from, b, to], tone, { width: 1.75, dash }),
    end(a, slope.plain),
    end(b, slope.faulted),
    mark(a, from, tone, slope.claim),
    mark(b, to, tone, slope.claim),
  ])
}

type KeyLayout = { x: number; top: number; width: number }

function keyNodes(slope: RecoverySlope, { x, top, width }: KeyLayout): SvgNode[] {
  const { tone, dash } = strokeOf(slope.style)
  const words = `${percent(slope.plain)} → ${percent(slope.faulted)} · ${slope.name} · ${slope.fault}`
  return [
    line([x, top + 8, x + 20, top + 8], tone, { width: 2.5, dash }),
    text(fitted(words, width - x - 28), x + 26, top + 12, { tone: 'ink' }),
  ]
}

function percent({ rate }: End): string {
  return `${formatShare(rate)} %`
}

function describe({ name, fault, plain, faulted }: RecoverySlope): string {
  const said = ({ rate, low, high }: End) =>
    `${formatPercent(rate)} % (${formatInterval(low, high)})`
  return `${name}, ${fault}: ${said(plain)} without a fault, ${said(faulted)} under it`
}
