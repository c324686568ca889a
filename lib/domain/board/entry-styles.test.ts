import { expect, it } from 'vitest'
import { entryStyles } from './entry-styles.ts'

const rowsOf = (count: number) =>
  Array.from({ length: count }, (_, index) => ({ rowId: `row_${index}`, label: 'smoke' as const }))

it('gives eight entries eight colours, and more entries other patterns', () => {
  for (const count of [0, 1, 2, 8, 12, 32]) {
    const styles = [...entryStyles(rowsOf(count)).values()]
    expect(styles).toHaveLength(count)
    expect(new Set(styles.map((style) => JSON.stringify(style))).size).toBe(count)
    expect(styles.slice(0, 8).every(({ pattern }) => pattern === 0)).toBe(true)
  }
})

it('does not depend on the order of the rows', () => {
  const rows = rowsOf(12)
  const turned = entryStyles([...rows].reverse())
  for (const [id, style] of entryStyles(rows)) expect(turned.get(id)).toEqual(style)
})

it('lets ranked entries choose first', () => {
  const ranked = { rowId: 'zz', label: 'primary' as const }
  expect(entryStyles([...rowsOf(40), ranked]).get('zz')).toEqual(entryStyles([ranked]).get('zz'))
})
