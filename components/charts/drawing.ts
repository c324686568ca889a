/** Colours of a drawing by what they mean: a page takes them from its theme, a file has them fixed. */
export const TONES = [
  'ink',
  'muted',
  'line',
  'line-strong',
  'accent',
  'surface',
  'series-1',
  'series-2',
  'series-3',
  'series-4',
  'series-5',
  'series-6',
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

/** Entries of one figure in the order of their names in its legend. */
export const SERIES = [
  { tone: 'series-1', dash: 'none' },
  { tone: 'series-3', dash: '7 3' },
  { tone: 'series-2', dash: '2 3' },
  { tone: 'series-4', dash: '9 3 2 3' },
  { tone: 'series-5', dash: '4 2' },
  { tone: 'series-6', dash: '12 4' },
] as const satisfies readonly { tone: Tone; dash: string }[]

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
function cut(words: string, most: number): string {
  let [kept, room] = ['', most]
  for (const letter of words) {
    room -= lettersOf(letter)
    if (room < 0) break
    kept += letter
  }
  return kept
}

/**
 * How the names of one chart are written so that they fit a width. Where one is too long, all lose what tells nothing: the
 * parts that every one of them has, as the agent's name on its own page, and those that all entries of an agent have.
 */
export function fittedNames(names: readonly string[], width: number): (name: string) => string {
  const isTooLong = names.some((name) => fitted(name, width) !== name)
  if (!isTooLong || names.length < 2) return (name) => fitted(name, width)
  return (name) => {
    const [first = '', ...rest] = tellingParts(name, names)
    if (names.some((other) => !partsOf(other).includes(first)))
      return shortenFirst([first, ...rest], width)
    return rest.length > 0 ? shortenFirst(rest, width) : shortenFirst(partsOf(name), width)
  }
}

/** The first part of a name, which is the agent's own, and what tells it from others that begin so. */
export function tellingParts(name: string, names: readonly string[]): string[] {
  const [first = '', ...rest] = partsOf(name)
  const twins = names.map(partsOf).filter(([own]) => own === first)
  return [first, ...rest.filter((part) => !twins.every((parts) => parts.includes(part)))]
}

/** Takes what is too long from the first part, as long as something is left of it. */
function shortenFirst([first = '', ...rest]: readonly string[], width: number): string {
  const name = [first, ...rest].join(' · ')
  const left = Math.floor(width / TEXT_WIDTH) - lettersOf(rest.join(' · ')) - 4
  if (rest.length === 0 || left < 4 || fitted(name, width) === name) return fitted(name, width)
  return [`${cut(first, left)}…`, ...rest].join(' · ')
}

/** What a name is made of: agent, arm, model or version. */
const partsOf = (name: string): string[] => name.split(' · ')

/** A name that fits a width. */
export function fitted(name: string, width: number): string {
  const most = Math.max(width / TEXT_WIDTH, 4)
  return lettersOf(name) > most ? `${cut(name, most - 1)}…` : name
}
