import { downloadBlob } from '../ui/download.ts'

/** Texts around a saved chart: method and source. */
export type Card = {
  title: string
  lines: readonly string[]
  footer: readonly string[]
  /** Path of the chart's page on this server. */
  path: string
}

const SVG = 'http://www.w3.org/2000/svg'
const PADDING = 24
const TITLE_SIZE = 18
const LINE_SIZE = 12
const LINE_HEIGHT = 17
const PNG_SCALE = 2
const WAIT_MS = 10_000

/** Saves the visible chart inside `box` as an image with texts. Returns false on failure. */
export async function saveChart(box: HTMLElement, card: Card, name: string): Promise<boolean> {
  try {
    const drawing = await waitForDrawing(box)
    const text = new XMLSerializer().serializeToString(drawCard(drawing, card))
    const blob = name.endsWith('.svg')
      ? new Blob([text], { type: 'image/svg+xml' })
      : await toPng(text)
    if (blob) downloadBlob(name, blob)
    return blob !== null
  } catch {
    return false
  }
}

async function waitForDrawing(box: HTMLElement): Promise<SVGSVGElement> {
  const end = performance.now() + WAIT_MS
  while (performance.now() < end) {
    const found = box.querySelector<SVGSVGElement>('svg.recharts-surface')
    if (found) return found
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  throw new Error('the chart was not drawn')
}

/** Title and method above the drawing; suite, version, date and address below it. */
function drawCard(drawing: SVGSVGElement, card: Card): SVGSVGElement {
  const style = getComputedStyle(document.body)
  const colours = { ink: style.color, muted: colourOf('--muted'), ground: colourOf('--surface') }
  const size = drawing.getBoundingClientRect()
  const address = `Proofboard · ${new URL(card.path, window.location.href).href}`
  const above = card.lines.flatMap((words) => wrapped(words, size.width, style.fontFamily))
  const below = [...card.footer, address].flatMap((words) =>
    wrapped(words, size.width, style.fontFamily),
  )
  const top = PADDING + TITLE_SIZE + (above.length + 1) * LINE_HEIGHT
  const bottom = top + size.height + LINE_HEIGHT
  const [width, height] = [size.width + 2 * PADDING, bottom + below.length * LINE_HEIGHT + PADDING]
  const lines = (rows: readonly string[], from: number) =>
    rows.map((row, index) => textAt(row, from + index * LINE_HEIGHT, LINE_SIZE, colours.muted))
  const root = element('svg', { width, height, viewBox: `0 0 ${width} ${height}` })
  root.setAttribute('font-family', style.fontFamily)
  const place = element('g', { transform: `translate(${PADDING} ${top})` })
  place.append(painted(drawing))
  root.append(
    element('rect', { width, height, fill: colours.ground }),
    textAt(card.title, PADDING + TITLE_SIZE - 4, TITLE_SIZE, colours.ink),
    ...lines(above, PADDING + TITLE_SIZE + LINE_HEIGHT),
    place,
    ...lines(below, bottom + LINE_HEIGHT),
  )
  return root
}

function colourOf(property: string): string {
  return getComputedStyle(document.documentElement).getPropertyValue(property)
}

function element<K extends keyof SVGElementTagNameMap>(
  tag: K,
  attributes: Readonly<Record<string, string | number>>,
): SVGElementTagNameMap[K] {
  const made = document.createElementNS(SVG, tag)
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, String(value))
  return made
}

function textAt(words: string, y: number, size: number, fill: string): SVGTextElement {
  const text = element('text', { x: PADDING, y, fill, 'font-size': size })
  if (size === TITLE_SIZE) text.setAttribute('font-weight', '600')
  text.textContent = words
  return text
}

/** Properties that are copied into the file, which has no style sheet. */
const PAINT = [
  ...['fill', 'fill-opacity', 'stroke', 'stroke-opacity', 'stroke-width', 'stroke-dasharray'],
  ...['opacity', 'font-size', 'font-weight', 'text-anchor', 'paint-order'],
]
const DROPPED = ['class', 'style', 'tabindex', 'role']

/** Copies a drawing with the colours of the current theme. */
function painted(drawing: SVGSVGElement): Node {
  const copy = drawing.cloneNode(true)
  if (!(copy instanceof SVGSVGElement)) return copy
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

/** Breaks text into lines of a width, at spaces if possible. */
function wrapped(words: string, width: number, font: string): string[] {
  const context = document.createElement('canvas').getContext('2d')
  if (!context) return [words]
  context.font = `${LINE_SIZE}px ${font}`
  const fits = (text: string) => context.measureText(text).width <= width
  const rows: string[] = []
  let row = ''
  for (const part of words
    .split(/(?<= )/)
    .flatMap((word) => (fits(word) ? word : Array.from(word)))) {
    if (row !== '' && !fits(row + part)) {
      rows.push(row)
      row = ''
    }
    row += part
  }
  return [...rows, row]
}

/** Renders at twice the size, for high-resolution screens. */
async function toPng(svg: string): Promise<Blob | null> {
  const image = new Image()
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}`
  await image.decode()
  const canvas = document.createElement('canvas')
  canvas.width = image.naturalWidth * PNG_SCALE
  canvas.height = image.naturalHeight * PNG_SCALE
  canvas.getContext('2d')?.drawImage(image, 0, 0, canvas.width, canvas.height)
  return new Promise((resolve) => canvas.toBlob(resolve, 'image/png'))
}
