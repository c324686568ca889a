import { expect, it } from 'vitest'
import { facetsOf, sortParser, sortSerializer, toggleFacet } from './table-view.ts'

it('reads a sort key of a column whose id has a dot', () => {
  const { parse } = sortParser((id) => id !== 'none')
  expect(parse('success.desc')).toEqual({ id: 'success', desc: true })
  expect(parse('cost.total.asc')).toEqual({ id: 'cost.total', desc: false })
  expect(parse('none.asc')).toBeNull()
})

it('writes several sort keys under the prefix of their table', () => {
  const write = sortSerializer('tasks')
  const sort = [
    { id: 'success', desc: true },
    { id: 'cost', desc: false },
  ]
  expect(write('?q=a', { sort })).toBe('?q=a&tasks-sort=success.desc,cost.asc')
  expect(sortSerializer(undefined)('', { sort: [] })).toBe('')
})

it('groups filters by column and ignores what names none', () => {
  expect(facetsOf(['status:done', 'suite:a:b', 'status:failed', ':x', 'y'])).toEqual([
    { id: 'status', value: ['done', 'failed'] },
    { id: 'suite', value: ['a:b'] },
  ])
})

it('a filter that is pressed twice is gone', () => {
  const once = toggleFacet([], 'status', 'done')
  expect(once).toEqual(['status:done'])
  expect(toggleFacet(once, 'status', 'done')).toEqual([])
})
