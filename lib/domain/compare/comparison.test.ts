import { expect, it } from 'vitest'
import { comparePath, parseRowIds } from './compare-path.ts'

it('reads row ids from one parameter, from several, from none', () => {
  expect(parseRowIds('row_a, row_b,,')).toEqual(['row_a', 'row_b'])
  expect(parseRowIds(['row_a,row_b', 'row_c', ''])).toEqual(['row_a', 'row_b', 'row_c'])
  expect(parseRowIds(undefined)).toEqual([])
  expect(parseRowIds(','.repeat(9) + 'x,'.repeat(5000))).toHaveLength(50)
})

it('makes an address that is read back as it was', () => {
  const hostile = ['row_a', 'x&y=1', 'ü#']
  const query = new URL(comparePath(hostile, 2), 'http://localhost').searchParams
  expect(parseRowIds(query.getAll('rows'))).toEqual(hostile)
  expect(query.get('pair')).toBe('3')
  expect(comparePath([])).toBe('/compare')
})
