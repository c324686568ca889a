import { createElement } from 'react'
import { describe, expect, it } from 'vitest'
import { renderWithAddress } from '#lib/testing/factories/render-with-address.tsx'
import type { DataColumn } from '../ui/data-column.ts'
import { Table } from './table.tsx'

type Row = { name: string; kind: string; cost: number | null }

const ROWS: readonly Row[] = [
  { name: 'dear', kind: 'agent', cost: 9 },
  { name: 'unknown', kind: 'agent', cost: null },
  { name: 'cheap', kind: 'library', cost: 1 },
  { name: 'also', kind: 'library', cost: 9 },
]

const COLUMNS: readonly DataColumn<Row>[] = [
  { head: 'Name', sort: ({ name }) => name, cell: ({ name }) => name },
  { head: 'Kind', facet: ({ kind }) => kind, csv: ({ kind }) => kind, cell: ({ kind }) => kind },
  {
    head: 'Cost',
    unit: 'USD',
    sort: ({ cost }) => cost,
    descends: true,
    numeric: true,
    cell: ({ cost }) => cost ?? '–',
  },
  { head: 'Rare', extra: true, cell: () => 'rare' },
]

function render(address = '', rows = ROWS, prefix?: string): string {
  const table = createElement(Table<Row>, {
    columns: COLUMNS,
    rows,
    name: 'test',
    what: 'thing',
    prefix,
    keyOf: ({ name }) => name,
  })
  return renderWithAddress(table, address)
}

const bodyOf = (html: string) => html.slice(html.indexOf('<tbody'))
const namesIn = (html: string) =>
  [...bodyOf(html).matchAll(/<tr[^>]*>(?:<td[^>]*><input[^>]*><\/td>)?<td[^>]*>([^<]*)</g)].map(
    ([, name]) => name,
  )

describe('the order of rows', () => {
  it('is that of the page until the address names another', () => {
    expect(namesIn(render())).toEqual(['dear', 'unknown', 'cheap', 'also'])
  })

  it('puts what is unknown last, either way', () => {
    expect(namesIn(render('?sort=Cost.asc'))).toEqual(['cheap', 'dear', 'also', 'unknown'])
    expect(namesIn(render('?sort=Cost.desc'))).toEqual(['dear', 'also', 'cheap', 'unknown'])
  })

  it('has a second key for rows that are equal in the first', () => {
    const html = render('?sort=Cost.desc,Name.asc')
    expect(namesIn(html)).toEqual(['also', 'dear', 'cheap', 'unknown'])
    expect(html.match(/aria-sort="[a-z]+"/g)).toEqual(['aria-sort="descending"'])
  })

  it('ignores a column that is not there', () => {
    expect(namesIn(render('?sort=constructor.desc'))).toEqual(['dear', 'unknown', 'cheap', 'also'])
  })

  it('is a link of each head that sorts, the largest first where that is asked for', () => {
    const html = render()
    expect(html).toContain('href="?sort=Name.asc"')
    expect(html).toContain('href="?sort=Cost.desc"')
    expect(html).not.toContain('sort=Kind')
    expect(render('', ROWS, 'own')).toContain('href="?own-sort=Name.asc"')
  })
})

describe('the rows and columns that are shown', () => {
  it('are those with the words of a filter, and of the search', () => {
    expect(namesIn(render('?f=Kind:library'))).toEqual(['cheap', 'also'])
    expect(namesIn(render('?q=DEAR agent'))).toEqual(['dear'])
    expect(render('?q=nothing')).toContain('Nothing matches the search and filters.')
  })

  it('leave out what is hidden, but never the name', () => {
    expect(render()).not.toContain('Rare')
    expect(render('?hide=')).toContain('Rare')
    const html = render('?hide=Name,Cost')
    expect(namesIn(html)).toHaveLength(4)
    expect(html).not.toContain('sort=Cost')
  })

  it('are the first hundred of a long table, and search and export come with eight', () => {
    const many = Array.from({ length: 250 }, (_, place) => ({
      name: `row ${place}`,
      kind: 'agent',
      cost: place,
    }))
    const html = render('', many)
    expect(namesIn(html)).toHaveLength(100)
    expect(html).toContain('Rows 1–<!-- -->100'.replace('<!-- -->', ''))
    expect(html).toContain('Export')
    expect(render()).not.toContain('Export')
  })
})

it('hostile names are text', () => {
  const html = render('', [{ name: '<img src=x onerror=alert(1)>', kind: '"><script>', cost: 1 }])
  expect(html).not.toMatch(/<img|<script>/)
})
