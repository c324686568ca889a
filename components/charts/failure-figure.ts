import type { FailureKind } from '#lib/domain/board/index.ts'
import { formatCount, formatFailure } from '../ui/format.ts'
import { AXIS_HEIGHT, bottomAxis } from './axes.ts'
import {
  type Drawing,
  fittedNames,
  group,
  isNarrow,
  lettersOf,
  NARROW,
  rect,
  type SvgNode,
  TEXT_WIDTH,
  text,
} from './drawing.ts'
import { type ChartEntry, describeSample, type Figure, limitNote } from './figure.ts'
import { type AxisScale, percentScale } from './scale.ts'

/** Shares of one colour, since a kind of failure is an outcome and not an entry: the most frequent is the darkest. */
const SHADES = [1, 0.84, 0.5, 0.38, 0.28, 0.2] as const
const REST_SHADE = 0.12
const MOST_BARS = 24

/** A kind of failure, or all rarer ones together. */
type Part = { kind: string; count: number }
type Bar = { name: string; scored: number; failed: number; parts: Part[] }

/** How attempts failed: a bar for each entry, as long as its share of unsolved episodes; null where none is known. */
export function failureFigure(entries: readonly ChartEntry[]): Figure | null {
  const known = entries.filter(({ row }) => row.failures !== undefined && row.success.attempts > 0)
  if (known.length === 0) return null
  const kinds = commonKinds(known)
  const bars = known.map((entry) => toBar(entry, kinds))
  const failed = bars.reduce((sum, bar) => sum + bar.failed, 0)
  return {
    title: 'How attempts failed',
    unit: 'per cent of scored episodes',
    sample: `${describeSample(known)}, ${formatCount(failed)} not solved`,
    method:
      'Unsolved episodes by kind of failure, with the number of episodes. The kind describes a failure and is never part of a score.',
    notes: limitNote(Math.min(known.length, MOST_BARS), known.length),
    draw: (width) => failureDrawing(bars.slice(0, MOST_BARS), kinds, width),
    table: [
      ['entry', 'scored episodes', 'kind of failure', 'episodes'],
      ...known.flatMap(({ name, row }) =>
        Object.entries(row.failures ?? {}).map(([kind, count]) => [
          name,
          row.success.attempts,
          kind,
          count,
        ]),
      ),
    ],
  }
}

/** The kinds that have a colour of their own, the most frequent first. */
export function commonKinds(entries: readonly ChartEntry[]): FailureKind[] {
  const counts = new Map<string, number>()
  for (const { row } of entries)
    for (const [kind, count] of Object.entries(row.failures ?? {}))
      counts.set(kind, (counts.get(kind) ?? 0) + count)
  const sorted = [...counts].sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1))
  return sorted.slice(0, SHADES.length).map(([kind]) => kind as FailureKind)
}

const REST = 'all rarer kinds'

function toBar({ name, row }: ChartEntry, kinds: readonly FailureKind[]): Bar {
  const failures = row.failures ?? {}
  const failed = Object.values(failures).reduce((sum, count) => sum + count, 0)
  const parts = kinds.map((kind): Part => ({ kind, count: failures[kind] ?? 0 }))
  const rest = failed - parts.reduce((sum, { count }) => sum + count, 0)
  const all = [...parts, { kind: REST, count: rest }].filter(({ count }) => count > 0)
  return { name, scored: row.success.attempts, failed, parts: all }
}

const ROW = 28
const TALL_ROW = 42
const BAR = 18

function failureDrawing(
  bars: readonly Bar[],
  kinds: readonly FailureKind[],
  width: number,
): Drawing {
  const narrow = isNarrow(width)
  const names = Math.max(...bars.map(({ name }) => lettersOf(name))) * TEXT_WIDTH + 14
  const left = narrow ? 4 : Math.min(names, width * 0.38)
  const row = narrow ? TALL_ROW : ROW
  const key = kindLegend(kinds, bars, width)
  const plot = {
    left,
    right: width - 40,
    top: key.height,
    bottom: key.height + bars.length * row + 6,
  }
  const x = percentScale([plot.left, plot.right])
  const all = bars.map(({ name }) => name)
  const labelOf = fittedNames(all, narrow ? NARROW : left - 10)
  const lines = bars.map((bar, index) =>
    barNodes(bar, { x, y: key.height + index * row, row, left, narrow, kinds, labelOf }),
  )
  const said = bars.map(describe)
  return {
    width,
    height: plot.bottom + AXIS_HEIGHT,
    label: `Unsolved episodes by kind of failure. ${said.join('; ')}.`,
    nodes: [
      ...key.nodes,
      ...bottomAxis(x, plot, { title: 'of scored episodes', grid: true }),
      ...lines,
    ],
  }
}

function describe({ name, scored, failed, parts }: Bar): string {
  const words = parts.map(({ kind, count }) => `${count} ${formatFailure(kind)}`).join(', ')
  return `${name}: ${failed} of ${scored} not solved${words === '' ? '' : ` (${words})`}`
}

type BarLayout = {
  x: AxisScale
  y: number
  row: number
  left: number
  narrow: boolean
  kinds: readonly string[]
  labelOf: (name: string) => string
}

function barNodes(bar: Bar, { x, y, row, left, narrow, kinds, labelOf }: BarLayout): SvgNode {
  const { name, scored, failed, parts } = bar
  const top = narrow ? y + 18 : y + (row - BAR) / 2
  const nodes: SvgNode[] = [
    narrow
      ? text(labelOf(name), 0, y + 13, { tone: 'ink' })
      : text(labelOf(name), left - 10, top + 13, { tone: 'ink', anchor: 'end' }),
  ]
  let done = 0
  for (const { kind, count } of parts) {
    const [from, to] = [x.at((done / scored) * 100), x.at(((done + count) / scored) * 100)]
    nodes.push(rect([from, top, Math.max(to - from - 1, 0.5), BAR], 'bad', shadeOf(kind, kinds)))
    if (to - from > String(count).length * TEXT_WIDTH + 6)
      nodes.push(
        text(String(count), (from + to) / 2, top + 13, {
          tone: shadeOf(kind, kinds) > LIGHT ? 'surface' : 'ink',
          anchor: 'middle',
        }),
      )
    done += count
  }
  nodes.push(text(`${failed}/${scored}`, x.at((done / scored) * 100) + 6, top + 13))
  return group(describe(bar), nodes)
}

/** Text on a lighter bar is dark. */
const LIGHT = 0.7

function shadeOf(kind: string, kinds: readonly string[]): number {
  return SHADES[kinds.indexOf(kind)] ?? REST_SHADE
}

const KEY_ROW = 18

/** The kinds with their colours, above the bars and in the order of their parts. */
function kindLegend(kinds: readonly string[], bars: readonly Bar[], width: number) {
  const hasRest = bars.some(({ parts }) => parts.some(({ kind }) => kind === REST))
  const nodes: SvgNode[] = []
  let [x, y] = [0, 0]
  for (const kind of hasRest ? [...kinds, REST] : kinds) {
    const name = formatFailure(kind)
    const size = name.length * TEXT_WIDTH + 32
    if (x > 0 && x + size > width) [x, y] = [0, y + KEY_ROW]
    nodes.push(
      rect([x, y + 2, 11, 11], 'bad', shadeOf(kind, kinds)),
      text(name, x + 16, y + 12, { tone: 'ink' }),
    )
    x += size
  }
  return { nodes, height: y + KEY_ROW + 8 }
}
