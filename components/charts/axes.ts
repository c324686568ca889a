import type { EntryStyle } from '#lib/domain/board/index.ts'
import {
  fittedNames,
  lettersOf,
  line,
  type Plot,
  path,
  type SvgNode,
  strokeOf,
  TEXT_WIDTH,
  text,
} from './drawing.ts'
import type { AxisScale } from './scale.ts'

/** Horizontal grid lines with their values on the left, and the axis' name above them. */
export function leftAxis(scale: AxisScale, plot: Plot, title: string): SvgNode[] {
  const ticks = scale.ticks.flatMap(({ at, text: words }) => [
    line([plot.left, at, plot.right, at], 'line'),
    text(words, plot.left - 6, at + 4, { anchor: 'end' }),
  ])
  return [...ticks, text(title, 0, 11)]
}

/** Values below the plot, with vertical grid lines if `grid` is set, and the axis' name below its end. */
export function bottomAxis(
  scale: AxisScale,
  plot: Plot,
  { title, grid = false }: { title: string; grid?: boolean },
): SvgNode[] {
  const shown = withoutOverlap(scale)
  return [
    ...(grid
      ? scale.ticks.map(({ at }) => line([at, plot.top, at, plot.bottom], 'line'))
      : [line([plot.left, plot.bottom, plot.right, plot.bottom], 'line')]),
    ...shown.map(({ at, text: words }) =>
      text(words, keepInside(at, words, plot), plot.bottom + 17, { anchor: 'middle' }),
    ),
    text(title, plot.right, plot.bottom + AXIS_HEIGHT - 4, { anchor: 'end' }),
  ]
}

/** What `bottomAxis` takes below a plot. */
export const AXIS_HEIGHT = 40

const GAP = 6

/** Ticks whose texts do not touch: of two that would, the later one is left out. */
function withoutOverlap({ ticks }: AxisScale): AxisScale['ticks'] {
  let free = Number.NEGATIVE_INFINITY
  return ticks.filter(({ at, text: words }) => {
    const half = (words.length * TEXT_WIDTH) / 2
    if (at - half < free) return false
    free = at + half + GAP
    return true
  })
}

function keepInside(at: number, words: string, { right }: Plot): number {
  return Math.min(at, right + GAP - (words.length * TEXT_WIDTH) / 2)
}

const ROW = 17
const SWATCH = 26

/** Names of the series below a plot, as many side by side as there is room for; `height` is what they take. */
export function legend(
  series: readonly { name: string; style: EntryStyle }[],
  top: number,
  width: number,
): { nodes: SvgNode[]; height: number } {
  const names = series.map(({ name }) => name)
  const longest = Math.max(...names.map(lettersOf), 1) * TEXT_WIDTH + SWATCH + 16
  const columns = Math.max(1, Math.floor(width / longest))
  const cell = width / columns
  const labelOf = fittedNames(names, cell - SWATCH)
  const nodes = series.flatMap(({ name, style }, index) => {
    const { tone, dash } = strokeOf(style)
    const x = (index % columns) * cell
    const y = top + Math.floor(index / columns) * ROW + ROW - 5
    return [
      path(`M${x} ${y - 4}h${SWATCH - 6}`, tone, { width: 2.5, dash }),
      text(labelOf(name), x + SWATCH, y, { tone: 'ink' }),
    ]
  })
  return { nodes, height: Math.ceil(names.length / columns) * ROW + 4 }
}
