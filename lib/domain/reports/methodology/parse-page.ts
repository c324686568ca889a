import { type MarkdownBlock, type MarkdownSpan, parseMarkdown } from '../../markdown/index.ts'

/** Files of `pages`, in the order of the index. */
export const METHODOLOGY_SLUGS = [
  'measurement',
  'verification',
  'threats',
  'more-threats',
  'isolation',
  'evidence',
  'corrections',
  'statistics',
  'costs',
  'browser',
  'simulation',
] as const
export type MethodologySlug = (typeof METHODOLOGY_SLUGS)[number]

/** A page of the methodology. */
export type MethodologyPage = { title: string; sections: MethodologySection[] }
export type MethodologySection = { id: string; title: string; blocks: Block[] }

/** A part of a section. Formulas may contain `_{…}` for subscripts and `^{…}` for superscripts. */
export type Block =
  | { kind: 'text'; spans: MarkdownSpan[] }
  | { kind: 'heading'; id: string; title: string }
  | { kind: 'formula'; text: string }
  | { kind: 'terms'; items: TermItem[] }
  | { kind: 'table'; caption: string; head: string[]; rows: string[][] }

/** A term with its meaning. `id` makes it linkable: `/methodology/evidence#gate-samples`. */
export type TermItem = {
  id: string | null
  term: string
  spans: MarkdownSpan[]
  mark: string | null
}

/** Values of placeholders by name: a part of a text, or a paragraph of its own. */
export type Placeholders = {
  texts: Readonly<Record<string, string>>
  blocks: Readonly<Record<string, Block>>
}

/**
 * Parses a page from Markdown: one `#` heading, `##` headings as sections, code blocks as formulas, and lists of
 * `**Term** {#id} meaning`. Throws if a placeholder `{{name}}` is unknown.
 */
export function parsePage(markdown: string, placeholders: Placeholders): MethodologyPage {
  const page: MethodologyPage = { title: '', sections: [] }
  for (const block of parseMarkdown(markdown)) {
    if (block.kind !== 'heading' || block.level > 2) {
      page.sections.at(-1)?.blocks.push(toBlock(block, placeholders))
      continue
    }
    const { id, text } = splitId(plainText(block.spans))
    if (block.level === 1) page.title = text
    else page.sections.push({ id: id ?? '', title: text, blocks: [] })
  }
  return page
}

function toBlock(block: MarkdownBlock, { texts, blocks }: Placeholders): Block {
  const fill = (spans: readonly MarkdownSpan[]) =>
    spans.map((span) => ({ ...span, text: fillIn(span.text, texts) }))
  switch (block.kind) {
    case 'paragraph': {
      const name = /^\{\{([\w-]+)\}\}$/.exec(plainText(block.spans))?.[1]
      return blocks[name ?? ''] ?? { kind: 'text', spans: fill(block.spans) }
    }
    case 'heading': {
      const { id, text } = splitId(plainText(block.spans))
      return { kind: 'heading', id: id ?? '', title: text }
    }
    case 'code':
      return { kind: 'formula', text: block.text }
    case 'list':
      return { kind: 'terms', items: block.items.map((item) => toTerm(fill(item))) }
    case 'table': {
      const cells = (row: MarkdownSpan[][]) => row.map((cell) => plainText(fill(cell)))
      const [caption = '', ...head] = cells(block.head)
      return { kind: 'table', caption, head: [caption, ...head], rows: block.rows.map(cells) }
    }
  }
}

function toTerm([term, next, ...rest]: MarkdownSpan[]): TermItem {
  const { id, text } = splitId(next?.text ?? '')
  const first = next === undefined ? [] : [{ ...next, text }]
  return { id, term: term?.text ?? '', spans: [...first, ...rest], mark: null }
}

/** Splits `{#id}` off a text. */
function splitId(text: string): { id: string | null; text: string } {
  const id = /\{#([\w-]+)\}/.exec(text)?.[1] ?? null
  return { id, text: text.replace(`{#${id}}`, '').trim() }
}

function fillIn(text: string, texts: Placeholders['texts']): string {
  return text.replace(/\{\{([\w-]+)\}\}/g, (placeholder, name: string) => {
    const value = texts[name]
    if (value === undefined) throw new Error(`unknown placeholder ${placeholder}`)
    return value
  })
}

/** Returns the text of spans without markup. */
export function plainText(spans: readonly MarkdownSpan[]): string {
  return spans.map(({ text }) => text).join('')
}
