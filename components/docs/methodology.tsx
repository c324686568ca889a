import Link from 'next/link'
import { Fragment } from 'react'
import type {
  Block,
  CaseItem,
  MethodologySection,
  TermItem,
} from '#lib/domain/reports/methodology/methodology-constants.ts'
import { Section } from '../ui/layout.tsx'
import { ScrollBox } from '../ui/table.tsx'

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
          <Link className="link" href={block.href} prefetch={false}>
            {block.text}
          </Link>
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

function TableView({ block }: { block: Extract<Block, { kind: 'table' }> }) {
  return (
    <ScrollBox aria-label={block.caption} className="overflow-x-auto">
      <table className="w-full border-line border-b">
        <caption className="sr-only">{block.caption}</caption>
        <thead>
          <tr className="text-muted text-xs">
            {block.head.map((name, place) => (
              <th
                className={`border-line-strong border-b py-2 pr-4 align-bottom font-normal ${place === 0 ? 'text-left' : 'text-right'}`}
                // biome-ignore lint/suspicious/noArrayIndexKey: two columns may share a name.
                key={place}
                scope="col"
              >
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {block.rows.map(([name = '', ...cells]) => (
            <tr className="border-line border-t" key={name}>
              <th className="h-9 pr-4 text-left font-normal" scope="row">
                {name}
              </th>
              {cells.map((cell, place) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: a cell is known by its column.
                <td className="whitespace-nowrap pr-4 text-right" key={place}>
                  {cell}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollBox>
  )
}

function CasesView({ block }: { block: Extract<Block, { kind: 'cases' }> }) {
  return (
    <ScrollBox aria-label={block.caption} className="overflow-x-auto">
      <table className="w-full min-w-[44rem] table-fixed border-line border-b">
        <caption className="sr-only">{block.caption}</caption>
        <thead>
          <tr className="text-left text-muted text-xs">
            {block.head.map((name) => (
              <th
                className="border-line-strong border-b py-2 pr-5 font-normal first:w-1/4"
                key={name}
                scope="col"
              >
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {block.items.map((item) => (
            <Case item={item} key={item.id} />
          ))}
        </tbody>
      </table>
    </ScrollBox>
  )
}

function Case({ item: { id, title, cells } }: { item: CaseItem }) {
  const [about = [], ...others] = cells
  return (
    <tr className="border-line border-t align-top target:bg-accent-soft" id={id}>
      <th className="space-y-1 py-1.5 pr-5 text-left font-normal" scope="row">
        <a className="block font-medium hover:underline" href={`#${id}`}>
          {title}
        </a>
        <Sentences lines={about} />
      </th>
      {others.map((lines) => (
        <td className="space-y-1 py-1.5 pr-5" key={lines.join()}>
          <Sentences lines={lines} />
        </td>
      ))}
    </tr>
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

/** A text in which `_{…}` stands below and `^{…}` above the line. */
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
