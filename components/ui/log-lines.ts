import type {
  LogRange,
  LogWindow,
  SearchHit,
  SearchPart,
  WindowLine,
} from '#lib/domain/api/episode-view.ts'
import type { LiveLine } from '#lib/domain/api/live-view.ts'
import { formatCount } from './format.ts'

/** As much of a log as was read, as lines; `whole` tells whether its last line is known to be complete. */
type LogLines = {
  lines: string[]
  whole: boolean
  nextOffset: number | null
  sizeBytes: number
}

export const NO_LINES: LogLines = { lines: [], whole: true, nextOffset: 0, sizeBytes: 0 }

/** Adds the next range; a line that a range cut in two is put together again. */
export function appendRange(log: LogLines, range: LogRange): LogLines {
  const parts = range.text.split('\n')
  const whole = parts.at(-1) === ''
  if (whole) parts.pop()
  const lines = log.whole ? log.lines.concat(parts) : joinLast(log.lines, parts)
  return {
    lines,
    whole: whole || range.text === '',
    nextOffset: range.nextOffset,
    sizeBytes: range.sizeBytes,
  }
}

function joinLast(lines: readonly string[], parts: readonly string[]): string[] {
  const [first = '', ...rest] = parts
  return [...lines.slice(0, -1), (lines.at(-1) ?? '') + first].concat(rest)
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: colour sequences begin with the escape character.
const COLOUR = /\u001b\[[\d;:]*m/g

/** Indexes of the lines that contain a text, whatever their colours and case. */
export function findLines(lines: readonly string[], text: string): number[] {
  if (text === '') return []
  const wanted = text.toLowerCase()
  return lines.flatMap((line, index) =>
    line.replace(COLOUR, '').toLowerCase().includes(wanted) ? [index] : [],
  )
}

/** Checks an answer of the log route; null when it is none. */
export function parseLogRange(answer: unknown): LogRange | null {
  if (typeof answer !== 'object' || answer === null) return null
  const { text, offset, nextOffset, sizeBytes } = answer as Record<string, unknown>
  if (typeof text !== 'string' || typeof offset !== 'number' || typeof sizeBytes !== 'number')
    return null
  return { text, offset, sizeBytes, nextOffset: typeof nextOffset === 'number' ? nextOffset : null }
}

/** Lines are asked for in pages of so many. */
export const PAGE_LINES = 256
/** So many pages stay here: the rest of the log stays on the server. */
const MOST_PAGES = 16

/** What a page holds of a log: some of its lines, by page, and how many there are. */
type LogPages = {
  pages: ReadonlyMap<number, readonly WindowLine[]>
  /** The page of which only the beginning is here. */
  begun: number | null
  total: number
  isExact: boolean
  sizeBytes: number
}

/** The log as far as its first range goes; of a longer one the number of lines is a guess by that. */
export function startPages(first: LogRange): LogPages & { whole: readonly string[] | null } {
  const { lines, whole: endsWhole } = appendRange(NO_LINES, first)
  const { sizeBytes } = first
  if (first.nextOffset === null)
    return {
      pages: new Map(),
      begun: null,
      total: lines.length,
      isExact: true,
      sizeBytes,
      whole: lines,
    }
  const shown = (endsWhole ? lines : lines.slice(0, -1)).slice(0, PAGE_LINES)
  const page = shown.map((text) => ({ text, restBytes: 0 }))
  const guess = Math.max(1, Math.ceil((lines.length * sizeBytes) / first.nextOffset))
  return {
    pages: new Map([[0, page]]),
    begun: 0,
    total: guess,
    isExact: false,
    sizeBytes,
    whole: null,
  }
}

/** The log with what was read; pages that were read longest ago make room. */
export function addWindow(
  log: LogPages,
  { first, lines, total, isExact, sizeBytes }: LogWindow,
): LogPages {
  const pages = new Map(log.pages)
  const page = Math.floor(first / PAGE_LINES)
  pages.delete(page)
  pages.set(page, lines)
  for (const old of pages.keys()) {
    if (pages.size <= MOST_PAGES) break
    pages.delete(old)
  }
  const begun = log.begun === page ? null : log.begun
  return { pages, begun, total, isExact, sizeBytes }
}

/** A line, counted from 0; null while it is not here. */
export function lineAt({ pages }: LogPages, index: number): WindowLine | null {
  return pages.get(Math.floor(index / PAGE_LINES))?.[index % PAGE_LINES] ?? null
}

/** Pages of the lines from `first` up to `last` that are not here, or only begun. */
export function missingPages(log: LogPages, first: number, last: number): number[] {
  const from = Math.floor(first / PAGE_LINES)
  const to = Math.floor(Math.max(first, last - 1) / PAGE_LINES)
  const wanted = Array.from({ length: to - from + 1 }, (_, index) => from + index)
  return wanted.filter((page) => page === log.begun || !log.pages.has(page))
}

/** Checks an answer of the lines route; null when it is none. */
export function parseWindow(answer: unknown): LogWindow | null {
  if (typeof answer !== 'object' || answer === null) return null
  const { first, lines, total, isExact, sizeBytes } = answer as Partial<LogWindow>
  if (typeof first !== 'number' || typeof total !== 'number' || typeof sizeBytes !== 'number')
    return null
  if (!Array.isArray(lines) || !lines.every((line) => typeof line?.text === 'string')) return null
  return { first, lines, total, isExact: isExact === true, sizeBytes }
}

/** A line of a search's answer; null when it is none. */
export function parsePart(line: string): SearchPart | null {
  const part: unknown = JSON.parse(line)
  if (typeof part !== 'object' || part === null) return null
  if ('hits' in part)
    return Array.isArray(part.hits) ? (part as { hits: SearchHit[] } & SearchPart) : null
  return 'partial' in part ? (part as SearchPart) : null
}

/** A live log in the page: its newest lines, and how many older ones went to make room. */
export type LiveLines = {
  lines: readonly ShownLine[]
  dropped: number
  /** The line of each source that goes on, counted from the first line ever. */
  open: ReadonlyMap<string, number>
}

export type ShownLine = { source: string; text: string /** Characters left out. */; rest: number }

export const NO_LIVE_LINES: LiveLines = { lines: [], dropped: 0, open: new Map() }

const MOST_LINES = 10_000
/** Dropping line by line would copy the list each time. */
const SLACK_LINES = 2000
const MOST_CHARACTERS = 2000

/** The log with what came; lines that came in pieces are put together, and cut where nobody reads on. */
export function addLines(log: LiveLines, came: readonly LiveLine[]): LiveLines {
  const lines = [...log.lines]
  const open = new Map(log.open)
  for (const line of came) {
    const at = open.get(line.source)
    const before = at === undefined ? undefined : lines[at - log.dropped]
    if (at !== undefined && before) lines[at - log.dropped] = join(before, line.text)
    else lines.push(join({ source: line.source, text: '', rest: 0 }, line.text))
    if (!line.open) open.delete(line.source)
    else if (at === undefined || !before) open.set(line.source, log.dropped + lines.length - 1)
  }
  const over = lines.length - MOST_LINES
  if (over <= SLACK_LINES) return { lines, dropped: log.dropped, open }
  return { lines: lines.slice(over), dropped: log.dropped + over, open }
}

function join({ source, text, rest }: ShownLine, more: string): ShownLine {
  const taken = more.slice(0, Math.max(0, MOST_CHARACTERS - text.length))
  return { source, text: text + taken, rest: rest + more.length - taken.length }
}

/** A line short enough to draw, and what was left out of it. */
export function cutLine(line: string): { text: string; rest: string | null } {
  if (line.length <= MOST_CHARACTERS) return { text: line, rest: null }
  return {
    text: line.slice(0, MOST_CHARACTERS),
    rest: ` … ${formatCount(line.length - MOST_CHARACTERS)} more characters`,
  }
}
