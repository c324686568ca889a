import { expect, it } from 'vitest'
import { suggest } from './registers.ts'

it('suggests what begins with the words before what only holds them', () => {
  const labels = suggest('countries', 'land').map(({ label }) => label)
  expect(labels).toContain('Finland')
  expect(suggest('countries', 'Po').map(({ label }) => label)).toEqual(['Poland', 'Portugal'])
  expect(suggest('addresses', 'storgata 4')[0]).toEqual({
    label: 'Storgata 4, 9008 Tromsø, Norway',
    values: { street: 'Storgata 4', postcode: '9008', city: 'Tromsø', country: 'Norway' },
  })
})

it('suggests nothing for one letter, for no register and for what nobody knows, and six at most', () => {
  expect(suggest('countries', 'N ')).toEqual([])
  expect(suggest('nothing', 'Norway')).toEqual([])
  expect(suggest('organisations', 'zzz')).toEqual([])
  expect(suggest('countries', 'an')).toHaveLength(6)
})
