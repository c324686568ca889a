import { fitted } from './names.ts'
import { createMeasure, element, painted } from './svg-parts.ts'

const FONT_SIZE = 12
const LINE_HEIGHT = 18
/** Width of a swatch with the space after it. */
const SWATCH = 26
const BETWEEN = 14
const MAX_NAME_WIDTH = 260
/** With more, colours repeat too often to tell entries apart. */
const MAX_NAMES = 32

type LegendStyle = { width: number; ink: string; fontFamily: string }

/** Draws the visible series of a legend, line by line; null = all are hidden. */
export function drawLegend(
  legend: HTMLElement,
  { width, ink, fontFamily }: LegendStyle,
): { group: SVGGElement; height: number } | null {
  const measure = createMeasure(`${FONT_SIZE}px ${fontFamily}`)
  const buttons = [...legend.querySelectorAll('button[aria-pressed="true"]')]
  const group = element('g', { fill: ink, 'font-size': FONT_SIZE })
  let [left, top] = [0, 0]
  const add = (words: string, swatch: SVGSVGElement | null) => {
    const start = swatch ? SWATCH : 0
    const room = start + measure(words) + BETWEEN
    if (left > 0 && left + room > width) [left, top] = [0, top + LINE_HEIGHT]
    const text = element('text', { x: left + start, y: top + FONT_SIZE })
    text.textContent = words
    group.append(text)
    if (swatch) group.append(swatchAt(swatch, left, top + 2))
    left += room
  }
  for (const button of buttons.slice(0, MAX_NAMES))
    add(
      fitted(button.textContent ?? '', Math.min(MAX_NAME_WIDTH, width - SWATCH), measure),
      button.querySelector('svg'),
    )
  if (buttons.length > MAX_NAMES) add(`and ${buttons.length - MAX_NAMES} more`, null)
  return buttons.length > 0 ? { group, height: top + LINE_HEIGHT } : null
}

function swatchAt(swatch: SVGSVGElement, x: number, y: number): SVGSVGElement {
  const { width, height } = swatch.getBoundingClientRect()
  const copy = painted(swatch)
  for (const [name, value] of Object.entries({ x, y, width, height }))
    copy.setAttribute(name, String(value))
  return copy
}
