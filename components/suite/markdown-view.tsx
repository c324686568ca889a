import type { ReactNode } from 'react'
import { type MarkdownBlock, type MarkdownSpan, parseMarkdown } from '#lib/domain/markdown/index.ts'
import { CodeLine, lineStates } from '../episode/code-view.tsx'
import { visibleText } from '../ui/format.ts'

/** Renders an instruction. Hostile text stays text: only known kinds of blocks become markup. */
export function MarkdownView({ text }: { text: string }) {
  return (
    <div className="untrusted space-y-3">
      {numbered(parseMarkdown(text)).map(({ part, place }) => (
        <Block block={part} key={place} />
      ))}
    </div>
  )
}

/** Pairs each part with its index; parts never change their order. */
function numbered<T>(parts: readonly T[]): { part: T; place: number }[] {
  return parts.map((part, place) => ({ part, place }))
}

function Block({ block }: { block: MarkdownBlock }): ReactNode {
  switch (block.kind) {
    case 'heading':
      return (
        <p className={block.level === 1 ? 'font-semibold text-base' : 'pt-1 font-semibold'}>
          <Spans spans={block.spans} />
        </p>
      )
    case 'code':
      return <Code text={block.text} />
    case 'list':
      return <List block={block} />
    case 'table':
      return <Table block={block} />
    case 'paragraph':
      return (
        <p>
          <Spans spans={block.spans} />
        </p>
      )
  }
}

function Code({ text }: { text: string }) {
  const lines = text.split('\n')
  const states = lineStates('example.ts', lines)
  return (
    <pre className="whitespace-pre-wrap rounded bg-sunken px-3 py-2 text-xs">
      {numbered(lines).map(({ part, place }) => (
        <div className="min-h-4" key={place}>
          <CodeLine state={states[place] ?? null} text={part} />
        </div>
      ))}
    </pre>
  )
}

function List({ block }: { block: MarkdownBlock & { kind: 'list' } }) {
  const items = numbered(block.items).map(({ part, place }) => (
    <li key={place}>
      <Spans spans={part} />
    </li>
  ))
  const shared = 'space-y-1 pl-5'
  return block.isOrdered ? (
    <ol className={`list-decimal ${shared}`}>{items}</ol>
  ) : (
    <ul className={`list-disc ${shared}`}>{items}</ul>
  )
}

function Table({ block: { head, rows } }: { block: MarkdownBlock & { kind: 'table' } }) {
  return (
    <table className="border-line border-b text-xs">
      <thead>
        <tr>
          {numbered(head).map(({ part, place }) => (
            <th className="py-1 pr-4 text-left font-medium" key={place} scope="col">
              <Spans spans={part} />
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {numbered(rows).map(({ part: cells, place: row }) => (
          <tr className="border-line border-t" key={row}>
            {numbered(cells).map(({ part, place }) => (
              <td className="py-1 pr-4 align-top" key={place}>
                <Spans spans={part} />
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  )
}

const SPAN_TAGS = { code: 'code', strong: 'strong', em: 'em', plain: 'span' } as const

function Spans({ spans }: { spans: readonly MarkdownSpan[] }) {
  return numbered(spans).map(({ part, place }) => {
    if (part.kind === 'link') return <Link key={place} link={part} />
    const { kind, text } = part
    const Tag = SPAN_TAGS[kind]
    return (
      <Tag className={kind === 'code' ? 'rounded bg-sunken px-1 text-xs' : undefined} key={place}>
        {visibleText(text)}
      </Tag>
    )
  })
}

/** A link that always shows its full address, because its text is untrusted. Other schemes stay text. */
function Link({ link: { text, address, href } }: { link: MarkdownSpan & { kind: 'link' } }) {
  const label = visibleText(text)
  const shown = visibleText(href ?? address)
  const isNamed = text === address || shown === ''
  const rest = isNamed ? null : <span className="text-muted"> ({shown})</span>
  if (href === null) {
    return (
      <>
        {label}
        {rest}
      </>
    )
  }
  return (
    <>
      <a className="link" href={href} rel="nofollow noopener noreferrer ugc">
        {label}
      </a>
      {rest}
    </>
  )
}
