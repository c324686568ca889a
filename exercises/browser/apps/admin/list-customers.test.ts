import { describe, expect, it } from 'vitest'
import { createDraw } from '../kit/draw.ts'
import { listCustomers } from './list-customers.ts'
import { seedConsole } from './seed-console.ts'

const state = seedConsole(createDraw(11))
const list = (query: Record<string, string>) => listCustomers(state, new URLSearchParams(query))

/** Reads the rows of all pages. */
function readAll(query: Record<string, string>) {
  const { pages } = list(query)
  return Array.from(
    { length: pages },
    (_, at) => list({ ...query, page: String(at + 1) }).rows,
  ).flat()
}

describe('listCustomers', () => {
  it('shows every customer exactly once over its pages, whatever it sorts by', () => {
    for (const sort of ['company', 'fee', 'renews', 'status', 'nonsense']) {
      const rows = readAll({ sort })
      expect(rows).toHaveLength(240)
      expect(new Set(rows.map(({ id }) => id)).size).toBe(240)
    }
  })

  it('sorts both ways, and by company where two are alike', () => {
    const fees = readAll({ sort: 'fee', dir: 'down' }).map(({ fee }) => fee)
    expect(fees).toEqual([...fees].sort((left, right) => right - left))
    const up = readAll({ sort: 'status' })
    const first = up.filter(({ status }) => status === 'active').map(({ company }) => company)
    expect(first).toEqual([...first].sort())
  })

  it('joins filters and search', () => {
    const rows = readAll({ q: ' TEXTILES ', plan: 'Standard', status: 'active' })
    expect(rows.length).toBeGreaterThan(2)
    for (const { company, plan, status } of rows) {
      expect([company.endsWith('Textiles'), plan, status]).toEqual([true, 'Standard', 'active'])
    }
  })

  it.each([
    ['0', 1],
    ['-3', 1],
    ['two', 1],
    ['99', 24],
  ])('takes page %s for page %i', (page, shown) => {
    expect(list({ page }).page).toBe(shown)
  })

  it('finds nobody without trouble', () => {
    expect(list({ q: 'zzz' })).toEqual({ total: 0, page: 1, pages: 1, rows: [] })
  })
})
