import fc from 'fast-check'
import { expect, it } from 'vitest'
import { packRows, unpackRows } from './pack-rows.ts'

it('gives back any rows', () => {
  const word = fc.constantFrom('a', 'b', '__proto__', 'words')
  const value = fc.oneof(fc.jsonValue({ maxDepth: 2 }), word, fc.constant(null))
  const row = fc.record({ id: fc.string(), same: word, nested: fc.record({ a: value, b: word }) })
  fc.assert(
    fc.property(fc.array(fc.oneof(row, fc.dictionary(word, value))), (rows) => {
      expect(unpackRows(packRows(rows))).toEqual(JSON.parse(JSON.stringify(rows)))
    }),
  )
})

it('tells a key from what objects inherit', () => {
  const rows = JSON.parse('[{"__proto__":"a"},{"b":1}]')
  expect(JSON.stringify(unpackRows(packRows(rows)))).toBe('[{"__proto__":"a"},{"b":1}]')
})

it('writes a repeated value once', () => {
  const rows = Array.from({ length: 100 }, (_, id) => ({ id, subject: { method: 'by tasks' } }))
  expect(packRows(rows).match(/by tasks/g)).toHaveLength(1)
})
