import { downloadBlob } from '../ui/download.ts'
import type { Measure } from './names.ts'
import { drawLegend } from './saved-legend.ts'
import { createMeasure, element, painted } from './svg-parts.ts'

/** Texts around a saved chart: method and source. */
export type Card = {
  title: string
  lines: readonly string[]
  footer: readonly string[]
  /** Path of the chart's page on this server. */
  path: string
}

const PADDING = 24
const PNG_SCALE = 2
const WAIT_MS = 10_000

type ShownChart = {
  /** Contains the drawing. */
  box: HTMLElement
  /** Null = the chart has none. */
  legend: HTMLElement | null
}

/** Saves a visible chart as an image with its legend and texts. Returns false on failure. */
export async function saveChart(
  { box, legend }: ShownChart,
  card: Card,
  name: string,
): Promise<boolean> {
  try {
    const drawing = await waitForDrawing(box)
    const text = new XMLSerializer().serializeToString(drawCard(drawing, legend, card))
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

/** Title, method and legend above the drawing; suite, version, date and address below it. */
function drawCard(drawing: SVGSVGElement, legend: HTMLElement | null, card: Card): SVGSVGElement {
  const { color: ink, fontFamily } = getComputedStyle(document.body)
  const muted = colourOf('--muted')
  const size = drawing.getBoundingClientRect()
  const width = size.width + 2 * PADDING
  const root = element('svg', { width, 'font-family': fontFamily })
  const ground = element('rect', { width, fill: colourOf('--surface') })
  root.append(ground)
  let bottom = PADDING
  const write = (words: string, style: TextStyle) => {
    const measure = createMeasure(`${style.weight} ${style.size}px ${fontFamily}`)
    for (const row of wrapped(words, size.width, measure)) {
      root.append(textAt(row, bottom + style.size, style))
      bottom += style.line
    }
  }
  const place = (part: Node, height: number) => {
    const frame = element('g', { transform: `translate(${PADDING} ${bottom})` })
    frame.append(part)
    root.append(frame)
    bottom += height + LINE.line
  }
  write(card.title, { ...TITLE, fill: ink })
  for (const words of card.lines) write(words, { ...LINE, fill: muted })
  bottom += LINE.line / 2
  const names = legend && drawLegend(legend, { width: size.width, ink, fontFamily })
  if (names) place(names.group, names.height)
  place(painted(drawing), size.height)
  const address = `Proofboard · ${new URL(card.path, window.location.href).href}`
  for (const words of [...card.footer, address]) write(words, { ...LINE, fill: muted })
  const height = bottom + PADDING
  root.setAttribute('height', String(height))
  root.setAttribute('viewBox', `0 0 ${width} ${height}`)
  ground.setAttribute('height', String(height))
  return root
}

type TextStyle = { size: number; line: number; weight: number; fill: string }
const TITLE = { size: 18, line: 24, weight: 600 } as const
const LINE = { size: 12, line: 17, weight: 400 } as const

function colourOf(property: string): string {
  return getComputedStyle(document.documentElement).getPropertyValue(property)
}

function textAt(words: string, y: number, { size, weight, fill }: TextStyle): SVGTextElement {
  const font = { 'font-size': size, 'font-weight': weight }
  const text = element('text', { x: PADDING, y, fill, ...font })
  text.textContent = words
  return text
}

/** Breaks text into lines of a width, at spaces if possible. */
function wrapped(words: string, width: number, measure: Measure): string[] {
  const fits = (text: string) => measure(text) <= width
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
