/** Lists names in a sentence, sorted and without duplicates: `a, b, c and 4 more`. */
export function listNames(names: Iterable<string>, max = 3): string {
  const sorted = [...new Set(names)].sort()
  const shown = sorted.slice(0, max)
  if (sorted.length > max) return `${shown.join(', ')} and ${sorted.length - max} more`
  return shown.length < 2 ? shown.join('') : `${shown.slice(0, -1).join(', ')} and ${shown.at(-1)}`
}

/** Returns the items of a list with conditions, `[a, isKnown && b]`, without those that do not apply. */
export function present<T>(items: readonly (T | false | null | undefined)[]): T[] {
  return items.filter((item): item is T => item !== false && item !== null && item !== undefined)
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: colour sequences begin with the escape character.
const COLOUR = /\u001b\[[\d;:]*m/g

/** Removes ANSI colours from a terminal's text. */
export function withoutColours(text: string): string {
  return text.replace(COLOUR, '')
}

/** Returns indexes of the lines that contain a text, ignoring colours and case; empty for an empty text. */
export function findLines(lines: readonly string[], text: string): number[] {
  if (text === '') return []
  const wanted = text.toLowerCase()
  return lines.flatMap((line, index) =>
    withoutColours(line).toLowerCase().includes(wanted) ? [index] : [],
  )
}

/**
 * 12345 → `12,345`, with at most three decimals. Avoids `Intl`, whose first use costs a page more than all of its
 * numbers.
 */
export function groupDigits(value: number): string {
  const [whole = '', decimals] = String(Math.round(value * 1000) / 1000).split('.')
  const grouped = whole.replace(/\B(?=(?:\d{3})+$)/g, ',')
  return decimals === undefined ? grouped : `${grouped}.${decimals}`
}

/** 1536 → `1.5 kB`; powers of 1000. */
export function formatBytes(bytes: number): string {
  if (bytes < 1000) return `${bytes} B`
  const units = ['kB', 'MB', 'GB', 'TB']
  const power = Math.min(Math.floor(Math.log10(bytes) / 3), units.length)
  return `${(bytes / 1000 ** power).toFixed(1)} ${units[power - 1]}`
}

/** A count with its noun: `1 entry`, `12,345 entries`. With a verb or an irregular plural, pass both forms. */
export function countOf(count: number, one: string, other = pluralOf(one)): string {
  return `${groupDigits(count)} ${pluralForm(count, one, other)}`
}

/** The form that agrees with a count: `pluralForm(1, 'is', 'are')` → `is`. `Intl.PluralRules` takes a hundred times as long. */
export function pluralForm(count: number, one: string, other: string): string {
  return Math.abs(count) === 1 ? one : other
}

/** The regular plural of a phrase whose last word is a noun. */
function pluralOf(one: string): string {
  if (/[^aeiou]y$/.test(one)) return `${one.slice(0, -1)}ies`
  return /(?:s|x|ch|sh)$/.test(one) ? `${one}es` : `${one}s`
}

/** Returns the known names closest to a mistyped one, best first, at most three; empty if none is close. */
export function nearestNames(wanted: string, known: readonly string[]): string[] {
  return known
    .map((name) => ({ name, distance: editDistance(wanted.toLowerCase(), name.toLowerCase()) }))
    .filter(
      ({ name, distance }) =>
        distance <= Math.max(2, Math.floor(name.length / 2)) || name.includes(wanted),
    )
    .sort((a, b) => a.distance - b.distance || (a.name < b.name ? -1 : 1))
    .slice(0, 3)
    .map(({ name }) => name)
}

/** `unknown task "lru": did you mean lru-cache?`, or the whole list if none is close. */
export function unknownName(what: string, wanted: string, known: readonly string[]): string {
  const near = nearestNames(wanted, known)
  if (near.length > 0) return `unknown ${what} "${wanted}": did you mean ${near.join(', ')}?`
  return `unknown ${what} "${wanted}": choose from ${known.slice(0, 30).join(', ') || '(there is none)'}`
}

/** The same as a separate sentence. */
export function unknownSentence(what: string, wanted: string, known: readonly string[]): string {
  const text = unknownName(what, wanted, known)
  return text.charAt(0).toUpperCase() + text.slice(1)
}

/** Levenshtein distance in two rows. */
function editDistance(a: string, b: string): number {
  let previous = Array.from({ length: b.length + 1 }, (_, index) => index)
  for (let i = 1; i <= a.length; i++) {
    const current = [i]
    for (let j = 1; j <= b.length; j++) {
      const substitution = (previous[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1)
      current.push(Math.min(substitution, (previous[j] ?? 0) + 1, (current[j - 1] ?? 0) + 1))
    }
    previous = current
  }
  return previous[b.length] ?? 0
}

/** Returns the first line with text, trimmed and cut to 500 characters; null = none. */
export function firstLine(message: string | null | undefined): string | null {
  const line = message?.split('\n').find((part) => part.trim() !== '')
  return line?.trim().slice(0, 500) ?? null
}

/** Cuts a text to a maximum length without splitting a character. */
export function cutText(text: string, max: number): string {
  if (text.length <= max) return text
  return text.slice(0, max).replace(/[\uD800-\uDBFF]$/, '')
}

/** Makes untrusted text safe for a terminal: characters that move the cursor or reorder words become visible. */
export function plainText(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}\p{Cs}\u2028\u2029]/gu, nameCharacter)
}

/** An invisible character as its code point: `⟨U+202E⟩`. */
export function nameCharacter(char: string): string {
  const code = char.codePointAt(0) ?? 0
  return `⟨U+${code.toString(16).toUpperCase().padStart(4, '0')}⟩`
}

/** Quotes one word for a POSIX shell. */
export function shellWord(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`
}

const MAX_LAST_LINE = 300

/** Returns the last line of a program's output, usually the reason of its failure; empty = no output. */
export function lastLine(text: string): string {
  return text.trim().split('\n').at(-1)?.slice(0, MAX_LAST_LINE) ?? ''
}

export type TableCell = string | number | null

/** Formats CSV (RFC 4180) with formulas disabled: a text that a spreadsheet would execute gets a leading apostrophe. */
export function toCsv(rows: readonly (readonly TableCell[])[]): string {
  return rows.map((cells) => `${cells.map(csvCell).join(',')}\r\n`).join('')
}

/** Formats a Markdown table whose first row is the heading; unknown values are dashes. */
export function toMarkdown([head = [], ...rows]: readonly (readonly TableCell[])[]): string {
  const lines = [
    head.map(markdownCell),
    head.map(() => '---'),
    ...rows.map((cells) => cells.map(markdownCell)),
  ]
  return lines.map((cells) => `| ${cells.join(' | ')} |\n`).join('')
}

/** Also in full width, which some spreadsheets execute. */
const FORMULA = /^[=+\-@\t\r\n＝＋－＠]/

function csvCell(value: TableCell): string {
  if (value === null) return ''
  const text = typeof value === 'string' && FORMULA.test(value) ? `'${value}` : String(value)
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

function markdownCell(value: TableCell): string {
  if (value === null) return '–'
  if (typeof value === 'number') return String(shortNumber(value))
  return markdownText(String(value).replace(/\s+/g, ' '), MAX_CELL)
}

/** Longer cells are cut. */
const MAX_CELL = 2000

/** Rounds to four decimals for tables: 0.8833333333333332 → 0.8833. */
export function shortNumber(value: number): number {
  return Number.isInteger(value) ? value : Number(value.toPrecision(Math.abs(value) < 1000 ? 4 : 7))
}

/** Formats micro-dollars as `$6.30`; a positive amount is never shown as zero. */
export function formatCost(microUsd: number): string {
  const usd = microUsd / 1e6
  if (usd === 0) return '$0'
  if (usd > 0 && usd < 0.0005) return '<$0.001'
  return `$${usd < 1 ? usd.toFixed(3) : usd.toFixed(2)}`
}

/** Formats without the unit, for a column that names it: `6.30`. */
export function formatPlainCost(microUsd: number): string {
  return formatCost(microUsd).replace('$', '')
}

/** Decodes a part of a URL, such as `sha256%3A…`; text with invalid percent-encoding stays. */
export function decodeParam(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}

/**
 * Escapes untrusted text for Markdown: it cannot add markup, links, mentions, table cells or reordered text. Invisible
 * characters are shown as code points; long text is truncated.
 */
export function markdownText(text: string, max = 300): string {
  const cut = text.length > max ? `${text.slice(0, max)}…` : text
  return (
    cut
      .replace(/[\p{Cc}\p{Cf}\p{Cs}\u2028\u2029]/gu, nameCharacter)
      .replace(/[&<>]/g, escapeMarkup)
      .replace(/[\\`*~|[\](){}#!]/g, '\\$&')
      // An underscore inside a word is not markup, and ids contain many.
      .replace(/(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])/gu, '\\_')
      .replace(/@/g, '&#64;')
      .replace(/:\/\//g, '&#58;//')
  )
}

/** Escapes text for XML, without control, bidi and other invisible characters. */
export function escapeXml(text: string): string {
  return escapeMarkup(text.replace(/\p{C}/gu, ''))
}

/** Escapes text for HTML and XML, as content and as attribute values. */
export function escapeMarkup(text: string): string {
  return text.replace(/[&<>"']/g, (char) => ENTITIES[char] ?? char)
}

/** Unescapes HTML or XML text, including the escapes of React and object stores. */
export function unescapeMarkup(text: string): string {
  return text.replace(/&(?:amp|quot|#x27|#39|lt|gt);/g, (entity) => LETTERS[entity] ?? entity)
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}
const LETTERS: Readonly<Record<string, string>> = {
  ...Object.fromEntries(Object.entries(ENTITIES).map(([letter, entity]) => [entity, letter])),
  '&#x27;': "'",
}

/** Formats milliseconds: `84 ms`, `1.25 s`, `12.3 s`, `2 min 05 s`, `3 min`, `1 h 03 min`. */
export function formatDuration(ms: number): string {
  if (ms < 999.5) return `${Math.round(ms)} ms`
  if (ms < 9995) return `${(ms / 1000).toFixed(2)} s`
  if (ms < 59_950) return `${(ms / 1000).toFixed(1)} s`
  const seconds = Math.round(ms / 1000)
  const minutes = Math.floor(seconds / 60)
  if (minutes >= 60) return `${Math.floor(minutes / 60)} h ${twoDigits(minutes % 60)} min`
  return seconds % 60 === 0 ? `${minutes} min` : `${minutes} min ${twoDigits(seconds % 60)} s`
}

function twoDigits(value: number): string {
  return String(value).padStart(2, '0')
}

/** Formats a rate of 0–1 in per cent, without the unit: `100` and `0` only if exact, else `>99` and `<1`. */
export function formatShare(rate: number, decimals = 0): string {
  const text = (rate * 100).toFixed(decimals)
  const step = (10 ** -decimals).toFixed(decimals)
  if (Number(text) >= 100 && rate < 1) return `>${(100 - Number(step)).toFixed(decimals)}`
  return Number(text) === 0 && rate > 0 ? `<${step}` : text
}

/** Joins the ends of an interval: `72–95`; `30 – >99`, because some fonts draw `–>` as an arrow. */
export function formatSpread(low: string, high: string): string {
  return high.startsWith('>') ? `${low} – ${high}` : `${low}–${high}`
}

/** Formats a confidence or error level of 0–1: 0.95 → `95 %`, 0.99821 → `99.82 %`. */
export function formatLevel(level: number): string {
  return `${Number((100 * level).toFixed(2))} %`
}

/** Formats a difference of rates as percentage points with one decimal and a minus sign (U+2212): -0.034 → `−3.4`. */
export function formatDifference(difference: number): string {
  const text = (100 * Math.abs(difference)).toFixed(1)
  return difference < 0 && text !== '0.0' ? `−${text}` : text
}

/** Formats a difference with a sign in both directions: 0.034 → `+3.4`. */
export function signedDifference(difference: number): string {
  const text = formatDifference(difference)
  return difference > 0 && text !== '0.0' ? `+${text}` : text
}

/** Formats a ratio with its interval, whose upper end may be unknown: `×0.80 (0.61–∞)`. */
export function formatRatio(ratio: { value: number; low: number; high: number | null }): string {
  const high = ratio.high === null ? '∞' : ratio.high.toFixed(2)
  return `×${ratio.value.toFixed(2)} (${ratio.low.toFixed(2)}–${high})`
}

/** Short form for a dense column: 1234 → `1.2k`, 3_400_000 → `3.4M`. */
export function formatCompact(value: number): string {
  if (value < 1000) return String(Math.round(value))
  const [divisor, unit] = value < 999_950 ? [1e3, 'k'] : [1e6, 'M']
  return `${(value / divisor).toFixed(1)}${unit}`
}

/** Returns a name that every file system accepts. */
export const safeFileName = (name: string): string => name.replace(/[^\w.-]/g, '_')
