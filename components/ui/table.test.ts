import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, it } from 'vitest'
import type { DataColumn } from './data-column.ts'
import { DataTable } from './table.tsx'

type Fruit = { name: string; count: number | null }

const COLUMNS: readonly DataColumn<Fruit>[] = [
  { head: 'Fruit', cell: ({ name }) => name, rowHeader: 'font-normal' },
  {
    head: 'Count',
    cell: ({ count }) => count,
    cellTitle: ({ count }) => `${count} in all`,
    numeric: true,
    cellClass: ({ count }) => (count === null ? 'text-muted' : undefined),
  },
]
const table = {
  caption: 'Fruit by count',
  columns: COLUMNS,
  keyOf: ({ name }: Fruit) => name,
  rows: [
    { name: 'apple', count: 3 },
    { name: 'pear', count: null },
  ],
}

const draw = (props: object = {}) =>
  renderToStaticMarkup(createElement(DataTable<Fruit>, { ...table, ...props }))

it('names the table, its columns and its rows for a screen reader', () => {
  const html = draw()
  expect(html).toContain('<caption class="sr-only">Fruit by count</caption>')
  expect(html.match(/<th [^>]*scope="col"/g)).toHaveLength(2)
  expect(html).toMatch(/<th [^>]*scope="row"[^>]*>apple<\/th>/)
})

it('aligns numbers, and lets a cell say more on hover', () => {
  const html = draw()
  expect(html).toContain('<td class="text-right" title="3 in all">3</td>')
  expect(html).toContain('<td class="text-right text-muted" title="null in all"></td>')
})

it('scrolls in a box that the keyboard reaches, under a name', () => {
  expect(draw({ scroll: { name: 'Fruit' } })).toMatch(
    /^<section data-scroll-box="true" tabindex="0" aria-label="Fruit" class="overflow-x-auto"><table/,
  )
})

it('shows a card a row on a narrow screen, each fact under its column’s name', () => {
  const html = draw({
    cards: 'lg',
    rowProps: () => ({ className: 'grid-cols-2', 'data-row': 'x' }),
  })
  expect(html).toContain(
    '<tr class="grid-cols-2 grid @max-[14rem]:grid-cols-1 lg:table-row" data-row="x">',
  )
  expect(html).toContain('<td class="card-lg lg:text-right" title="3 in all" data-card="Count">3')
})
