import { Fragment } from 'react'
import type { MarkdownSpan } from '#lib/domain/markdown/index.ts'
import type {
  Block,
  MethodologyPage,
  MethodologySection,
  MethodologySlug,
  TermItem,
} from '#lib/domain/reports/index.ts'
import { Section } from '../ui/layout.tsx'
import { DataTable } from '../ui/table.tsx'

type Pages = ReadonlyMap<MethodologySlug, MethodologyPage>

/** Links to all pages and their sections. */
export function ContentsOfPages({ pages }: { pages: Pages }) {
  return (
    <Section id="pages" title="Pages">
      <dl className="border-line border-b">
        {[...pages].map(([slug, { title, sections }]) => (
          <div
            className="grid gap-x-5 gap-y-1 border-line border-t py-1.5 sm:grid-cols-[16rem_minmax(0,1fr)]"
            key={slug}
          >
            <dt className="font-medium">
              <a className="link" href={`/methodology/${slug}`}>
                {title}
              </a>
            </dt>
            <dd className="flex flex-wrap gap-x-4 gap-y-1">
              {sections.map(({ id, title: name }) => (
                <IndexLink id={id} key={id} name={name} slug={slug} />
              ))}
            </dd>
          </div>
        ))}
      </dl>
    </Section>
  )
}

/** Links to every term, by page. Their ids keep old links to this page working. */
export function IndexOfTerms({ pages }: { pages: Pages }) {
  return (
    <Section id="terms" title="Index of terms">
      <div className="space-y-3 text-xs">
        {[...pages].map(([slug, { title, sections }]) => (
          <p className="flex flex-wrap gap-x-4 gap-y-2" key={slug}>
            <span className="w-full font-medium text-sm">{title}</span>
            {sections.flatMap(listTerms).map(({ id, name }) => (
              <IndexLink id={id} key={id} name={name} slug={slug} />
            ))}
          </p>
        ))}
      </div>
    </Section>
  )
}

function listTerms({ blocks }: MethodologySection): { id: string; name: string }[] {
  return blocks.flatMap((block) => {
    if (block.kind === 'heading') return [{ id: block.id, name: block.title }]
    if (block.kind !== 'terms') return []
    return block.items.flatMap(({ id, term }) => (id === null ? [] : [{ id, name: term }]))
  })
}

function IndexLink({ id, name, slug }: { id: string; name: string; slug: MethodologySlug }) {
  return (
    <a
      className="text-muted hover:underline target:bg-accent-soft"
      href={`/methodology/${slug}#${id}`}
      id={id}
    >
      {name}
    </a>
  )
}

/** A section of a page, with anchors for all named items. */
export function SectionView({ section: { id, title, blocks } }: { section: MethodologySection }) {
  return (
    <Section
      aside={
        <a aria-label={`Link to ${title}`} className="link" href={`#${id}`}>
          #
        </a>
      }
      id={id}
      title={title}
    >
      <Blocks blocks={blocks} />
    </Section>
  )
}

/** The text of a section. */
export function Blocks({ blocks }: { blocks: readonly Block[] }) {
  return (
    <div className="space-y-3">
      {blocks.map((block, place) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: blocks have no name and never move.
        <BlockView block={block} key={place} />
      ))}
    </div>
  )
}

function BlockView({ block }: { block: Block }) {
  switch (block.kind) {
    case 'text':
      return (
        <p className="max-w-3xl text-base">
          <Spans spans={block.spans} />
        </p>
      )
    case 'heading':
      return (
        <h3 className="pt-3 font-semibold target:bg-accent-soft" id={block.id}>
          <a className="hover:underline" href={`#${block.id}`}>
            {block.title}
          </a>
        </h3>
      )
    case 'formula':
      return (
        <p className="rounded border border-line whitespace-pre-wrap bg-surface px-3 py-2 font-mono text-sm leading-6">
          <MarkedText>{block.text}</MarkedText>
        </p>
      )
    case 'terms':
      return (
        <dl className="border-line border-b">
          {block.items.map((item) => (
            <Term item={item} key={item.id ?? item.term} />
          ))}
        </dl>
      )
    case 'table':
      return <TableView block={block} />
  }
}

function Term({ item: { id, term, spans, mark } }: { item: TermItem }) {
  return (
    <div
      className="grid gap-x-5 gap-y-0.5 border-line border-t py-1.5 target:bg-accent-soft sm:grid-cols-[12rem_minmax(0,1fr)]"
      id={id ?? undefined}
    >
      <dt className="font-medium">
        {id === null ? (
          term
        ) : (
          <a className="hover:underline" href={`#${id}`}>
            {term}
          </a>
        )}
      </dt>
      <dd className="max-w-3xl">
        <Spans spans={spans} />{' '}
        {mark ? (
          <span className="inline-block rounded border border-line-strong px-1 text-muted text-xs">
            {mark}
          </span>
        ) : null}
      </dd>
    </div>
  )
}

/** Text of the project's own pages, which may link to this server. */
function Spans({ spans }: { spans: readonly MarkdownSpan[] }) {
  return spans.map((span, place) => {
    const key = `${place}`
    switch (span.kind) {
      case 'link':
        return (
          <a className="link" href={span.address} key={key}>
            {span.text}
          </a>
        )
      case 'plain':
        return <Fragment key={key}>{span.text}</Fragment>
      default: {
        const Tag = span.kind
        return <Tag key={key}>{span.text}</Tag>
      }
    }
  })
}

function TableView({
  block: { caption, head, rows },
}: {
  block: Extract<Block, { kind: 'table' }>
}) {
  return (
    <DataTable
      caption={caption}
      columns={head.map((name, place) => ({
        // Two columns may share a name.
        id: String(place),
        head: name,
        cell: (cells: (typeof rows)[number]) => cells[place],
        ...(place === 0
          ? { rowHeader: 'font-normal', cellClass: 'h-9' }
          : { numeric: true, cellClass: 'whitespace-nowrap' }),
      }))}
      cellClass="pr-4"
      headClass="border-line-strong border-b py-2 pr-4 align-bottom text-muted text-xs"
      keyOf={([name = '']) => name}
      rows={rows}
      scroll={{ name: caption }}
    />
  )
}

/** A text in which `_{…}` is a subscript and `^{…}` a superscript. */
function MarkedText({ children }: { children: string }) {
  const parts = children.split(/([_^]\{[^}]*\})/)
  let at = 0
  return parts.map((part) => {
    const key = `${at}`
    at += part.length
    if (part.startsWith('_{')) return <sub key={key}>{part.slice(2, -1)}</sub>
    if (part.startsWith('^{')) return <sup key={key}>{part.slice(2, -1)}</sup>
    return <Fragment key={key}>{part}</Fragment>
  })
}
