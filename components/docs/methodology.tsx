import { Fragment } from 'react'
import type { Block, CaseItem, MethodologySection, TermItem } from '#lib/domain/reports/index.ts'
import { Section } from '../ui/layout.tsx'
import { DataTable } from '../ui/table.tsx'

/** One section of the methodology with anchors for all named items. */
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
      <div className="space-y-3">
        {blocks.map((block, place) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: blocks have no name and never move.
          <BlockView block={block} key={place} />
        ))}
      </div>
    </Section>
  )
}

function BlockView({ block }: { block: Block }) {
  switch (block.kind) {
    case 'text':
      return <p className="max-w-3xl text-base">{block.text}</p>
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
            <Term item={item} key={item.id} />
          ))}
        </dl>
      )
    case 'table':
      return <TableView block={block} />
    case 'cases':
      return <CasesView block={block} />
    case 'link':
      return (
        <p>
          <a className="link" href={block.href}>
            {block.text}
          </a>
        </p>
      )
  }
}

function Term({ item: { id, term, text, mark } }: { item: TermItem }) {
  return (
    <div
      className="grid gap-x-5 gap-y-0.5 border-line border-t py-1.5 target:bg-accent-soft sm:grid-cols-[12rem_minmax(0,1fr)]"
      id={id}
    >
      <dt className="font-medium">
        <a className="hover:underline" href={`#${id}`}>
          {term}
        </a>
      </dt>
      <dd>
        {text}{' '}
        {mark ? (
          <span className="inline-block rounded border border-line-strong px-1 text-muted text-xs">
            {mark}
          </span>
        ) : null}
      </dd>
    </div>
  )
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

function CasesView({
  block: { caption, head, items },
}: {
  block: Extract<Block, { kind: 'cases' }>
}) {
  return (
    <DataTable
      caption={caption}
      cellClass="space-y-1 py-1.5 pr-5"
      className="w-full min-w-[44rem] table-fixed border-line border-b"
      columns={head.map((name, place) => ({
        head: name,
        cell: ({ id, title, cells }: CaseItem) => (
          <>
            {place === 0 ? (
              <a className="block font-medium hover:underline" href={`#${id}`}>
                {title}
              </a>
            ) : null}
            <Sentences lines={cells[place] ?? []} />
          </>
        ),
        ...(place === 0 && { rowHeader: 'font-normal' }),
      }))}
      headClass="border-line-strong border-b py-2 pr-5 text-muted text-xs first:w-1/4"
      keyOf={({ id }) => id}
      rowProps={({ id }) => ({
        className: 'border-line border-t align-top target:bg-accent-soft',
        id,
      })}
      rows={items}
      scroll={{ name: caption }}
    />
  )
}

/** The first line is the main text; the following lines list codes. */
function Sentences({ lines }: { lines: readonly string[] }) {
  return lines.map((line, place) => (
    <p className={place === 0 ? '' : 'text-muted text-xs'} key={line}>
      {line}
    </p>
  ))
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
