import type { EntryStyle } from '#lib/domain/board/index.ts'

/** Colours of a drawing by what they mean: a page takes them from its theme, a file has them fixed. */
export const TONES = [
  'ink',
  'muted',
  'line',
  'line-strong',
  'accent',
  'surface',
  'entry-1',
  'entry-2',
  'entry-3',
  'entry-4',
  'entry-5',
  'entry-6',
  'entry-7',
  'entry-8',
  'good',
  'bad',
] as const
export type Tone = (typeof TONES)[number]

/** One element of a drawing: data, so that a page, a file and a test can all read it. No scripts, no links, no styles. */
export type SvgNode = {
  tag: 'line' | 'path' | 'rect' | 'circle' | 'text' | 'title' | 'g'
  fill?: Tone | 'none'
  stroke?: Tone
  /** As React names them: `strokeWidth`. */
  attributes?: Readonly<Record<string, string | number>>
  text?: string
  children?: readonly SvgNode[]
}

export type Drawing = {
  width: number
  height: number
  /** What a screen reader says of the whole. */
  label: string
  nodes: readonly SvgNode[]
}

/** The rectangle that values are drawn in. */
export type Plot = { left: number; right: number; top: number; bottom: number }

/** Widths that a figure is drawn for: desktop beside its caption, desktop, and phone. */
export const FULL = 920
export const WIDE = 760
/** Half of a desktop page. */
export const HALF = 600
export const NARROW = 330

/** A drawing below this width is laid out for a phone. */
export const isNarrow = (width: number) => width < 520

const ENTRY_TONES = TONES.filter((tone) => tone.startsWith('entry-'))
const DASHES = ['none', '7 3', '2 3', '9 3 2 3'] as const

/** The colour and the line of an entry, the same in every chart. */
export function strokeOf({ colour, pattern }: EntryStyle): { tone: Tone; dash: string } {
  return { tone: ENTRY_TONES[colour - 1] ?? 'muted', dash: DASHES[pattern] ?? 'none' }
}

type LineStyle = { width?: number; dash?: string; faint?: number }

const styled = ({ width = 1, dash = 'none', faint = 1 }: LineStyle) => ({
  strokeWidth: width,
  ...(dash === 'none' ? {} : { strokeDasharray: dash }),
  ...(faint === 1 ? {} : { opacity: faint }),
})

export function line(ends: readonly number[], stroke: Tone, style: LineStyle = {}): SvgNode {
  const [x1 = 0, y1 = 0, x2 = 0, y2 = 0] = ends.map(rounded)
  return { tag: 'line', stroke, attributes: { x1, y1, x2, y2, ...styled(style) } }
}

export function path(d: string, stroke: Tone, style: LineStyle = {}): SvgNode {
  return { tag: 'path', fill: 'none', stroke, attributes: { d, ...styled(style) } }
}

export function area(d: string, fill: Tone, faint: number): SvgNode {
  return { tag: 'path', fill, attributes: { d, opacity: faint } }
}

export function rect(
  [x, y, width, height]: readonly [number, number, number, number],
  fill: Tone,
  faint = 1,
): SvgNode {
  const box = { x: rounded(x), y: rounded(y), width: rounded(width), height: rounded(height) }
  return { tag: 'rect', fill, attributes: { ...box, ...(faint === 1 ? {} : { opacity: faint }) } }
}

/** Filled for a ranked result, hollow otherwise. */
export function mark(x: number, y: number, tone: Tone, solid: boolean): SvgNode {
  const attributes = { cx: rounded(x), cy: rounded(y), r: 4.5, strokeWidth: 1.75 }
  return { tag: 'circle', fill: solid ? tone : 'surface', stroke: tone, attributes }
}

type TextStyle = {
  tone?: Tone
  anchor?: 'start' | 'middle' | 'end'
  size?: number
  bold?: boolean
  /** Set off from the lines below it. */
  halo?: boolean
}

/** Text of this size is read on every screen, because drawings are not scaled down. */
const TEXT_SIZE = 11

export function text(words: string, x: number, y: number, style: TextStyle = {}): SvgNode {
  const { tone = 'muted', anchor = 'start', size = TEXT_SIZE, bold = false, halo = false } = style
  const attributes = {
    x: rounded(x),
    y: rounded(y),
    fontSize: size,
    textAnchor: anchor,
    ...(bold ? { fontWeight: 600 } : {}),
    ...(halo ? { paintOrder: 'stroke', strokeWidth: 3, strokeLinejoin: 'round' } : {}),
  }
  return { tag: 'text', fill: tone, ...(halo && { stroke: 'surface' }), attributes, text: words }
}

/** Nodes with a tooltip. */
export function group(title: string, children: readonly SvgNode[]): SvgNode {
  return { tag: 'g', children: [{ tag: 'title', text: title }, ...children] }
}

/** A whisker with its two ends, along either axis. */
export function whisker(
  direction: 'x' | 'y',
  { at, low, high }: { at: number; low: number; high: number },
  tone: Tone,
): SvgNode {
  const [a, b, c] = [at, low, high].map(rounded)
  const d =
    direction === 'x'
      ? `M${b} ${a}H${c}M${b} ${rounded(at - 4)}v8M${c} ${rounded(at - 4)}v8`
      : `M${a} ${b}V${c}M${rounded(at - 4)} ${b}h8M${rounded(at - 4)} ${c}h8`
  return path(d, tone, { width: 1.5, faint: 0.6 })
}

/** A tenth of a unit is less than any screen shows. */
export function rounded(value: number): number {
  return Math.round(value * 10) / 10
}

/** How wide a letter of the usual size is, about. */
export const TEXT_WIDTH = 6.1

/** Letters of East Asian scripts, and emoji: twice as wide. */
const BROAD =
  /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{20000}-\u{3fffd}]|\p{Emoji_Presentation}/u

/** How many usual letters others are as wide as; the first that applies, 1 where none does. */
const WIDTHS: readonly (readonly [RegExp, number])[] = [
  [BROAD, 2],
  [/[W@]/, 1.85],
  [/[Mm%]/, 1.6],
  [/[A-Zw]/, 1.3],
]

/** How much room a text takes, in letters of the usual width. */
export function lettersOf(words: string): number {
  return Array.from(words).reduce((sum, letter) => {
    const [, width = 1] = WIDTHS.find(([letters]) => letters.test(letter)) ?? []
    return sum + width
  }, 0)
}

/** As much of the beginning as fits into so many letters; no letter is cut in two. */
function cut(letters: readonly string[], most: number): string[] {
  let room = most
  const end = letters.findIndex((letter) => {
    room -= lettersOf(letter)
    return room < 0
  })
  return end < 0 ? [...letters] : letters.slice(0, end)
}

/** What is too much is left out of the middle: what tells names apart is often at their end, as a version or a date. */
function shortened(words: string, most: number): string {
  if (lettersOf(words) <= most) return words
  const letters = Array.from(words)
  const end = cut([...letters].reverse(), (most - 1) * END_SHARE).reverse()
  const start = cut(letters, most - 1 - lettersOf(end.join('')))
  return [...start, '…', ...end].join('')
}

const END_SHARE = 0.4

/**
 * How the names of one chart are written so that they fit a width. Where one is too long, all lose what tells nothing: the
 * parts that every one of them has, as the agent's name on its own page, and those that all entries of an agent have.
 */
export function fittedNames(names: readonly string[], width: number): (name: string) => string {
  const isTooLong = names.some((name) => fitted(name, width) !== name)
  if (!isTooLong || names.length < 2) return (name) => fittedParts(partsOf(name), width)
  return (name) => {
    const [first = '', ...rest] = tellingParts(name, names)
    if (names.some((other) => !partsOf(other).includes(first)))
      return fittedParts([first, ...rest], width)
    return fittedParts(rest.length > 0 ? rest : partsOf(name), width)
  }
}

/** The first part of a name, which is the agent's own, and what tells it from others that begin so. */
export function tellingParts(name: string, names: readonly string[]): string[] {
  const [first = '', ...rest] = partsOf(name)
  const twins = names.map(partsOf).filter(([own]) => own === first)
  return [first, ...rest.filter((part) => !twins.every((parts) => parts.includes(part)))]
}

/** Long parts share the room that short ones leave, so that none of them is cut to nothing. */
function fittedParts(parts: readonly string[], width: number): string {
  const whole = parts.join(BETWEEN)
  let left = lettersThatFit(width) - BETWEEN.length * (parts.length - 1)
  if (left < LEAST_LETTERS * parts.length) return fitted(whole, width)
  const byLength = parts.map(lettersOf).sort((a, b) => a - b)
  const most = byLength.reduce((share, letters, index) => {
    const fair = left / (parts.length - index)
    left -= Math.min(letters, fair)
    return Math.max(share, fair)
  }, 0)
  return parts.map((part) => shortened(part, most)).join(BETWEEN)
}

const BETWEEN = ' · '
const LEAST_LETTERS = 4

/** What a name is made of: agent, arm, model or version. */
const partsOf = (name: string): string[] => name.split(BETWEEN)

/** Not whole: a broad letter counts as more than one. */
const lettersThatFit = (width: number): number => width / TEXT_WIDTH

/** A name that fits a width. */
export function fitted(name: string, width: number): string {
  return shortened(name, Math.max(lettersThatFit(width), LEAST_LETTERS))
}
