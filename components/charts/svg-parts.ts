import type { Measure } from './names.ts'

const SVG = 'http://www.w3.org/2000/svg'

/** Makes an SVG element. */
export function element<K extends keyof SVGElementTagNameMap>(
  tag: K,
  attributes: Readonly<Record<string, string | number>>,
): SVGElementTagNameMap[K] {
  const made = document.createElementNS(SVG, tag)
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, String(value))
  return made
}

/** Properties that are copied into the file, which has no style sheet. */
const PAINT = [
  ...['fill', 'fill-opacity', 'stroke', 'stroke-opacity', 'stroke-width', 'stroke-dasharray'],
  ...['opacity', 'font-size', 'font-weight', 'text-anchor', 'paint-order'],
]
const DROPPED = ['class', 'style', 'tabindex', 'role']

/** Copies a drawing with the colours of the current theme. */
export function painted(drawing: SVGSVGElement): SVGSVGElement {
  const copy = drawing.cloneNode(true)
  if (!(copy instanceof SVGSVGElement)) throw new Error('the drawing was not copied')
  const originals = [drawing, ...drawing.querySelectorAll('*')]
  const copies = [copy, ...copy.querySelectorAll('*')]
  copies.forEach((node, index) => {
    const original = originals[index]
    for (const name of DROPPED) node.removeAttribute(name)
    if (!original || !(node instanceof SVGGraphicsElement)) return
    const style = getComputedStyle(original)
    for (const name of PAINT) node.setAttribute(name, style.getPropertyValue(name))
  })
  return copy
}

/** Returns a function that measures texts in a font, in pixels. */
export function createMeasure(font: string): Measure {
  const context = document.createElement('canvas').getContext('2d')
  if (context) context.font = font
  return (text) => context?.measureText(text).width ?? text.length * 6
}
