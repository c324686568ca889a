/** Part of a line: plain, code, emphasis or link. */
export type MarkdownSpan =
  | { kind: 'plain' | 'code' | 'strong' | 'em'; text: string }
  /** Null = not a web address: the text is shown without a link. */
  | { kind: 'link'; text: string; address: string; href: string | null }

/** Supported blocks of instructions; anything else is a paragraph with its markup as text. */
export type MarkdownBlock =
  | { kind: 'heading'; level: number; spans: MarkdownSpan[] }
  | { kind: 'paragraph'; spans: MarkdownSpan[] }
  | { kind: 'code'; text: string }
  | { kind: 'list'; isOrdered: boolean; items: MarkdownSpan[][] }
  | { kind: 'table'; head: MarkdownSpan[][]; rows: MarkdownSpan[][][] }

const FENCE = /^\s*(```+|~~~+)/
const HEADING = /^(#{1,6})\s+(.*?)\s*#*$/
const ITEM = /^(\s*)(?:[-*+]|\d{1,9}[.)])\s+(.*)$/
const TABLE_RULE = /^\s*\|?\s*:?-{2,}:?\s*(\|\s*:?-{2,}:?\s*)*\|?\s*$/

/** Parses a task's instructions into blocks of text with a kind, so that none of their markup reaches a page. */
export function parseMarkdown(text: string): MarkdownBlock[] {
  const lines = text.replace(/\r\n?/g, '\n').split('\n')
  const blocks: MarkdownBlock[] = []
  let at = 0
  while (at < lines.length) {
    const line = lines[at] ?? ''
    if (line.trim() === '') {
      at += 1
      continue
    }
    const [block, next] =
      readFence(lines, at) ??
      readHeading(lines, at) ??
      readTable(lines, at) ??
      readList(lines, at) ??
      readParagraph(lines, at)
    blocks.push(block)
    at = next
  }
  return blocks
}

type Read = [block: MarkdownBlock, next: number]

function readFence(lines: readonly string[], from: number): Read | null {
  const mark = FENCE.exec(lines[from] ?? '')?.[1]
  if (mark === undefined) return null
  const inside = takeWhile(lines, from + 1, (line) => !line.trim().startsWith(mark))
  return [{ kind: 'code', text: inside.join('\n') }, from + inside.length + 2]
}

function readHeading(lines: readonly string[], from: number): Read | null {
  const [, marks, words] = HEADING.exec(lines[from] ?? '') ?? []
  if (marks === undefined || words === undefined) return null
  return [{ kind: 'heading', level: marks.length, spans: parseSpans(words) }, from + 1]
}

function readTable(lines: readonly string[], from: number): Read | null {
  if (!lines[from]?.includes('|') || !TABLE_RULE.test(lines[from + 1] ?? '')) return null
  const [head = [], ...rows] = takeWhile(lines, from, (line) => line.includes('|'))
    .filter((_, index) => index !== 1)
    .map((line) => splitCells(line).map(parseSpans))
  return [{ kind: 'table', head, rows }, from + rows.length + 2]
}

function splitCells(line: string): string[] {
  const inside = line.trim().replace(/^\|/, '').replace(/\|$/, '')
  return inside.split(/(?<!\\)\|/).map((cell) => cell.trim().replaceAll('\\|', '|'))
}

/** Reads a list with the continuation lines of its items; items of a nested list follow their parent item. */
function readList(lines: readonly string[], from: number): Read | null {
  if (!ITEM.test(lines[from] ?? '')) return null
  const isOrdered = ORDERED.test(lines[from] ?? '')
  const own = takeWhile(lines, from, (line, next) => isOfList(line, next, isOrdered))
  const items: string[] = []
  for (const line of own.filter((one) => one.trim() !== '')) {
    const words = ITEM.exec(line)?.[2]
    items.push(words ?? `${items.pop() ?? ''} ${line.trim()}`)
  }
  return [{ kind: 'list', isOrdered, items: items.map(parseSpans) }, from + own.length]
}

const ORDERED = /^\s*\d/

function isOfList(line: string, next: string, isOrdered: boolean): boolean {
  if (line.trim() === '') return ITEM.test(next)
  const indent = ITEM.exec(line)?.[1]
  if (indent !== undefined) return indent !== '' || ORDERED.test(line) === isOrdered
  return !FENCE.test(line) && !HEADING.test(line)
}

function readParagraph(lines: readonly string[], from: number): Read {
  const taken = takeWhile(lines, from + 1, (line) => line.trim() !== '' && !startsBlock(line))
  const words = [lines[from] ?? '', ...taken].map((line) => line.trim()).join(' ')
  return [{ kind: 'paragraph', spans: parseSpans(words) }, from + 1 + taken.length]
}

function startsBlock(line: string): boolean {
  return FENCE.test(line) || HEADING.test(line) || ITEM.test(line)
}

/** Reads no line twice, so that time is linear in the length of the text. */
function takeWhile(
  lines: readonly string[],
  from: number,
  isTaken: (line: string, next: string) => boolean,
): string[] {
  let end = from
  while (end < lines.length && isTaken(lines[end] ?? '', lines[end + 1] ?? '')) end += 1
  return lines.slice(from, end)
}

/** Bounded, so that matching takes linear time. */
const SPAN =
  /`([^`]{1,400})`|\*\*([^*]{1,400})\*\*|\*([^\s*][^*]{0,400})\*|!?\[([^\][]{1,200})\]\(([^()]{0,400})\)|<(https?:\/\/[^\s<>]{1,400})>/g

/** Parses code, strong and emphasised words and links of one line. */
export function parseSpans(words: string): MarkdownSpan[] {
  const spans: MarkdownSpan[] = []
  let at = 0
  for (const match of words.matchAll(SPAN)) {
    if (match.index > at) spans.push({ kind: 'plain', text: words.slice(at, match.index) })
    spans.push(toSpan(match))
    at = match.index + match[0].length
  }
  if (at < words.length) spans.push({ kind: 'plain', text: words.slice(at) })
  return spans
}

function toSpan(match: RegExpMatchArray): MarkdownSpan {
  const [whole, code, strong, em, link, target = '', bare] = match
  if (code !== undefined) return { kind: 'code', text: code }
  if (strong !== undefined) return { kind: 'strong', text: strong.replaceAll('`', '') }
  if (em !== undefined) return { kind: 'em', text: em.replaceAll('`', '') }
  if (bare !== undefined) return toLink(bare, bare)
  return link === undefined ? { kind: 'plain', text: whole } : toLink(link, target)
}

/** Keeps only the address of `https://example.org "title"`. */
function toLink(text: string, target: string): MarkdownSpan {
  const address = target.trim().split(/\s/)[0] ?? ''
  return { kind: 'link', text: text.replaceAll('`', ''), address, href: webAddress(address) }
}

/** Returns the normalised absolute web address; null = another scheme, a relative address, or one with a password. */
function webAddress(address: string): string | null {
  if (!/^https?:\/\//i.test(address) || !URL.canParse(address)) return null
  const { protocol, username, password, href } = new URL(address)
  const isOfWeb = protocol === 'https:' || protocol === 'http:'
  return isOfWeb && username === '' && password === '' ? href : null
}
