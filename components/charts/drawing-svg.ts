import { escapeXml } from '#lib/domain/board/index.ts'
import type { Drawing, SvgNode, Tone } from './drawing.ts'

/** Colours of a file, which has no theme: those of the light one. */
const COLOURS: Readonly<Record<Tone, string>> = {
  ink: '#1a1b1e',
  muted: '#5a5d64',
  line: '#e1e1dd',
  'line-strong': '#85888f',
  accent: '#1c4fd1',
  surface: '#ffffff',
  'entry-1': '#385107',
  'entry-2': '#6b961e',
  'entry-3': '#001496',
  'entry-4': '#4f42c9',
  'entry-5': '#a071fc',
  'entry-6': '#481e52',
  'entry-7': '#84456b',
  'entry-8': '#e8519f',
  good: '#0a6a62',
  bad: '#ad3203',
}

/** Title and source around a drawing in a file, so that the file explains itself. */
export type Card = { title: string; lines: readonly string[]; footer: readonly string[] }

const PADDING = 24
const TITLE_SIZE = 18
const LINE_SIZE = 12
const LINE_HEIGHT = 17

/** A drawing as a file of its own: title and method above, suite, version, date and address below. */
export function renderCard(drawing: Drawing, { title, lines, footer }: Card): string {
  const width = drawing.width + 2 * PADDING
  const most = Math.floor(drawing.width / CHARACTER)
  const above = lines.flatMap((words) => wrap(words, most))
  const below = footer.flatMap((words) => wrap(words, most))
  const top = PADDING + TITLE_SIZE + above.length * LINE_HEIGHT + LINE_HEIGHT
  const bottom = top + drawing.height + LINE_HEIGHT
  const height = bottom + below.length * LINE_HEIGHT + PADDING
  const rows = (words: readonly string[], from: number) =>
    words.map((row, index) => cardText(row, from + index * LINE_HEIGHT, LINE_SIZE)).join('')
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" font-family="Inter, ui-sans-serif, system-ui, sans-serif" role="img">`,
    `<title>${escapeXml(title)}</title><desc>${escapeXml(drawing.label)}</desc>`,
    `<rect width="${width}" height="${height}" fill="${COLOURS.surface}"/>`,
    `<text x="${PADDING}" y="${PADDING + TITLE_SIZE - 4}" font-size="${TITLE_SIZE}" font-weight="600" fill="${COLOURS.ink}">${escapeXml(title)}</text>`,
    rows(above, PADDING + TITLE_SIZE + LINE_HEIGHT),
    `<g transform="translate(${PADDING} ${top})">${drawing.nodes.map(renderNode).join('')}</g>`,
    rows(below, bottom + LINE_HEIGHT),
    '</svg>',
  ].join('')
}

/** A character of the card's small text, about. */
const CHARACTER = 6.4

function cardText(words: string, y: number, size: number): string {
  return `<text x="${PADDING}" y="${y}" font-size="${size}" fill="${COLOURS.muted}">${escapeXml(words)}</text>`
}

/** An element of a drawing as markup; every text and every value is escaped. */
export function renderNode({
  tag,
  fill,
  stroke,
  attributes = {},
  text,
  children,
}: SvgNode): string {
  const paint = {
    ...(fill ? { fill: fill === 'none' ? fill : COLOURS[fill] } : {}),
    ...(stroke ? { stroke: COLOURS[stroke] } : {}),
  }
  const written = Object.entries({ ...paint, ...attributes }).map(
    ([name, value]) => ` ${attributeName(name)}="${escapeXml(String(value))}"`,
  )
  const inside = `${escapeXml(text ?? '')}${(children ?? []).map(renderNode).join('')}`
  const open = `<${tag}${written.join('')}`
  return inside === '' ? `${open}/>` : `${open}>${inside}</${tag}>`
}

/** `strokeWidth` → `stroke-width`. */
function attributeName(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
}

/** Lines of limited length, broken at spaces where there are any. */
export function wrap(words: string, most: number): string[] {
  const rows: string[] = []
  for (const word of words.split(' ')) {
    const last = rows.at(-1)
    if (last !== undefined && last.length + word.length + 1 <= most)
      rows[rows.length - 1] = `${last} ${word}`
    else rows.push(...chunks(word, most))
  }
  return rows
}

function chunks(word: string, most: number): string[] {
  const letters = Array.from(word)
  const count = Math.max(1, Math.ceil(letters.length / most))
  return Array.from({ length: count }, (_, index) =>
    letters.slice(index * most, (index + 1) * most).join(''),
  )
}
