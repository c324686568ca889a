import { expect, it } from 'vitest'
import { eachTitle, templateRows } from './test-api.ts'

it.each([
  ['%s and %i', ['x', 4], 'x and 4'],
  ['%p', [{ a: 'b' }], '{"a": "b"}'],
  ['%# %%', [1], '2 %'],
  ['%s', [], '%s'],
  ['$a.b of $c', [{ a: { b: 'x' } }], 'x of $c'],
  ['$n', [{ n: [1, 2] }], '[1, 2]'],
])('%s with %j', (title, row, expected) => {
  expect(eachTitle(title, row, 2)).toBe(expected)
})

it('reads the rows of a template', () => {
  expect(templateRows(['a | b\n', ' | ', '\n', ' | ', ''], [1, 2, 3, 4])).toEqual([
    { a: 1, b: 2 },
    { a: 3, b: 4 },
  ])
})
