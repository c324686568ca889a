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
  'entry-1': 'fill-entry-1',
  'entry-2': 'fill-entry-2',
  'entry-3': 'fill-entry-3',
  'entry-4': 'fill-entry-4',
  'entry-5': 'fill-entry-5',
  'entry-6': 'fill-entry-6',
  'entry-7': 'fill-entry-7',
  'entry-8': 'fill-entry-8',
  good: 'fill-good',
  bad: 'fill-bad',
}

const STROKES: Readonly<Record<Tone, string>> = {
  ink: 'stroke-ink',
  muted: 'stroke-muted',
  line: 'stroke-line',
  'line-strong': 'stroke-line-strong',
  accent: 'stroke-accent',
  surface: 'stroke-surface',
  'entry-1': 'stroke-entry-1',
  'entry-2': 'stroke-entry-2',
  'entry-3': 'stroke-entry-3',
  'entry-4': 'stroke-entry-4',
  'entry-5': 'stroke-entry-5',
  'entry-6': 'stroke-entry-6',
  'entry-7': 'stroke-entry-7',
  'entry-8': 'stroke-entry-8',
  good: 'stroke-good',
  bad: 'stroke-bad',
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
