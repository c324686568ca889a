import { expect, it } from 'vitest'
import { currentAddress, namesRows } from './current-address.ts'

const rows = [{ rowId: 'row_a', aliases: ['row_old'] }, { rowId: 'row_b' }]
const move = (query: string) => currentAddress(new URLSearchParams(query), rows)

it('finds rows of a link by the ids that they had before', () => {
  expect(move('suite=demo&open=row_old,row_b&base=row_old&label=primary,stress')).toBe(
    '/?suite=demo&open=row_a%2Crow_b&base=row_a&label=primary%2Cstress',
  )
  expect(move('entries=row_old,row_a&pick=row_old')).toBe('/?entries=row_a&pick=row_a')
})

it('leaves an address alone that names rows as they are, or none', () => {
  for (const query of ['', 'open=row_a&q=row_old', 'open=row_gone&suite=a&suite=b'])
    expect(move(query)).toBeNull()
})

it('tells whether an address names rows', () => {
  expect(namesRows(new URLSearchParams('suite=demo&pick=row_a'))).toBe(true)
  expect(namesRows(new URLSearchParams('suite=demo&open='))).toBe(false)
})
