import { expect, it } from 'vitest'
import { currentAddress } from './current-ids.ts'

const rows = [{ rowId: 'row_a', aliases: ['row_old'] }, { rowId: 'row_b' }]

it('finds rows of a link by the ids that they had before', () => {
  const query = { suite: 'demo', open: 'row_old,row_b', base: 'row_old', label: 'primary,stress' }
  expect(currentAddress(query, rows)).toBe(
    '/?suite=demo&open=row_a%2Crow_b&base=row_a&label=primary%2Cstress',
  )
  expect(currentAddress({ entries: 'row_old,row_a', pick: 'row_old' }, rows)).toBe(
    '/?entries=row_a&pick=row_a',
  )
})

it('leaves an address alone that names rows as they are, or none', () => {
  for (const query of [
    {},
    { open: 'row_a', q: 'row_old' },
    { open: 'row_gone', suite: ['a', 'b'] },
  ])
    expect(currentAddress(query, rows)).toBeNull()
})
