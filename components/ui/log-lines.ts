import type {
  LiveLine,
  LogRange,
  LogWindow,
  SearchHit,
  SearchPart,
  WindowLine,
} from '#lib/domain/api/index.ts'
import { countOf } from '#lib/domain/text/index.ts'

/** The loaded part of a log as lines; `whole` = its last line is complete. */
type LogLines = {
  lines: string[]
  whole: boolean
  nextOffset: number | null
  sizeBytes: number
}

export const NO_LINES: LogLines = { lines: [], whole: true, nextOffset: 0, sizeBytes: 0 }

/** Adds the next range and joins a line that was split between two ranges. */
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

/** Lines per requested page. */
export const PAGE_LINES = 256
/** Number of pages in memory. */
const MAX_PAGES = 16

/** The loaded lines of a log by page, and the total number of lines. */
type LogPages = {
  pages: ReadonlyMap<number, readonly WindowLine[]>
  /** The page that is only partly loaded. */
  begun: number | null
  total: number
  isExact: boolean
  sizeBytes: number
}

/** The log from its first range; for longer logs the number of lines is estimated from it. */
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

/** The log with the loaded lines; the oldest loaded pages are dropped. */
export function addWindow(
  log: LogPages,
  { first, lines, total, isExact, sizeBytes }: LogWindow,
): LogPages {
  const pages = new Map(log.pages)
  const page = Math.floor(first / PAGE_LINES)
  pages.delete(page)
  pages.set(page, lines)
  for (const old of pages.keys()) {
    if (pages.size <= MAX_PAGES) break
    pages.delete(old)
  }
  const begun = log.begun === page ? null : log.begun
  return { pages, begun, total, isExact, sizeBytes }
}

/** A line by its index from 0; null if not loaded. */
export function lineAt({ pages }: LogPages, index: number): WindowLine | null {
  return pages.get(Math.floor(index / PAGE_LINES))?.[index % PAGE_LINES] ?? null
}

/** Pages of the lines `first` to `last` that are not completely loaded. */
export function missingPages(log: LogPages, first: number, last: number): number[] {
  const from = Math.floor(first / PAGE_LINES)
  const to = Math.floor(Math.max(first, last - 1) / PAGE_LINES)
  const wanted = Array.from({ length: to - from + 1 }, (_, index) => from + index)
  return wanted.filter((page) => page === log.begun || !log.pages.has(page))
}

/** Validates a response of the lines route; null if invalid. */
export function parseWindow(result: unknown): LogWindow | null {
  if (typeof result !== 'object' || result === null) return null
  const { first, lines, total, isExact, sizeBytes } = result as Partial<LogWindow>
  if (typeof first !== 'number' || typeof total !== 'number' || typeof sizeBytes !== 'number')
    return null
  if (!Array.isArray(lines) || !lines.every((line) => typeof line?.text === 'string')) return null
  return { first, lines, total, isExact: isExact === true, sizeBytes }
}

/** A line of a search response; null if invalid. */
export function parsePart(line: string): SearchPart | null {
  const part: unknown = JSON.parse(line)
  if (typeof part !== 'object' || part === null) return null
  if ('hits' in part)
    return Array.isArray(part.hits) ? (part as { hits: SearchHit[] } & SearchPart) : null
  return 'partial' in part ? (part as SearchPart) : null
}

/** A live log: its newest lines and the number of dropped older lines. */
export type LiveLines = {
  lines: readonly VisibleLine[]
  dropped: number
  /** The unfinished line of each source, counted from the first line of the log. */
  open: ReadonlyMap<string, number>
}

export type VisibleLine = { source: string; text: string /** Characters left out. */; rest: number }

export const NO_LIVE_LINES: LiveLines = { lines: [], dropped: 0, open: new Map() }

const MAX_LINES = 10_000
/** Lines are dropped in blocks, because dropping each one would copy the list. */
const SLACK_LINES = 2000
const MAX_CHARACTERS = 2000

/** The log with new lines; partial lines are joined, and too long ones truncated. */
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
  const over = lines.length - MAX_LINES
  if (over <= SLACK_LINES) return { lines, dropped: log.dropped, open }
  return { lines: lines.slice(over), dropped: log.dropped + over, open }
}

function join({ source, text, rest }: VisibleLine, more: string): VisibleLine {
  const taken = more.slice(0, Math.max(0, MAX_CHARACTERS - text.length))
  return { source, text: text + taken, rest: rest + more.length - taken.length }
}

/** A line truncated for display, and the truncated length. */
export function cutLine(line: string): { text: string; rest: string | null } {
  if (line.length <= MAX_CHARACTERS) return { text: line, rest: null }
  return {
    text: line.slice(0, MAX_CHARACTERS),
    rest: ` … ${countOf(line.length - MAX_CHARACTERS, 'more character')}`,
  }
}
