import { createElement, type ReactElement, type SVGAttributes } from 'react'
import { classNames } from '../ui/class-names.ts'
import type { Drawing, SvgNode, Tone } from './drawing.ts'

const FILLS: Readonly<Record<Tone, string>> = {
  ink: 'fill-ink',
  muted: 'fill-muted',
  line: 'fill-line',
  'line-strong': 'fill-line-strong',
  accent: 'fill-accent',
  surface: 'fill-surface',
  'series-1': 'fill-series-1',
  'series-2': 'fill-series-2',
  'series-3': 'fill-series-3',
  'series-4': 'fill-series-4',
  'series-5': 'fill-series-5',
  'series-6': 'fill-series-6',
}

const STROKES: Readonly<Record<Tone, string>> = {
  ink: 'stroke-ink',
  muted: 'stroke-muted',
  line: 'stroke-line',
  'line-strong': 'stroke-line-strong',
  accent: 'stroke-accent',
  surface: 'stroke-surface',
  'series-1': 'stroke-series-1',
  'series-2': 'stroke-series-2',
  'series-3': 'stroke-series-3',
  'series-4': 'stroke-series-4',
  'series-5': 'stroke-series-5',
  'series-6': 'stroke-series-6',
}

type DrawingViewProps = {
  draw: (width: number) => Drawing
  widths: readonly [wide: number, narrow: number]
  /** On a desktop, where that has room for more. */
  full?: number | undefined
}

/** A drawing in the colours of the page, laid out once for each kind of screen. Rendered on the server. */
export function DrawingView({ draw, widths: [wide, narrow], full }: DrawingViewProps) {
  return (
    <>
      {full === undefined ? null : <Sized className="max-xl:hidden" drawing={draw(full)} />}
      <Sized
        className={full === undefined ? 'max-md:hidden' : 'max-md:hidden xl:hidden'}
        drawing={draw(wide)}
      />
      <Sized className="md:hidden" drawing={draw(narrow)} />
    </>
  )
}

function Sized({ drawing, className }: { drawing: Drawing; className: string }) {
  const { width, height, label, nodes } = drawing
  return (
    <svg
      aria-label={label}
      className={classNames('h-auto max-w-full', className)}
      data-chart
      height={height}
      role="img"
      viewBox={`0 0 ${width} ${height}`}
      width={width}
    >
      {createElement('g', null, ...nodes.map(toElement))}
    </svg>
  )
}

function toElement({ tag, fill, stroke, attributes, text, children = [] }: SvgNode): ReactElement {
  const className = classNames(
    fill && fill !== 'none' && FILLS[fill],
    stroke !== undefined && STROKES[stroke],
  )
  const props: SVGAttributes<SVGElement> = {
    ...attributes,
    ...(className === '' ? {} : { className }),
    ...(fill === 'none' ? { fill } : {}),
  }
  return createElement(tag, props, text, ...children.map(toElement))
}
