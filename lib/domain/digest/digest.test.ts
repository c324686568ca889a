import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { canonicalJson } from './digest.ts'

describe('canonicalJson', () => {
  it('does not depend on the order of members', () => {
    expect(canonicalJson({ b: 1, a: [{ d: null, c: 'é' }] })).toBe(
      '{"a":[{"c":"é","d":null}],"b":1}',
    )
  })

  it('says the same as JSON.parse can read back, for any JSON value', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(JSON.parse(canonicalJson(value))).toEqual(JSON.parse(JSON.stringify(value)))
      }),
    )
  })

  it('gives equal text for equal objects however their keys were inserted', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (value) => {
        const reversed = Object.fromEntries(Object.entries(value).reverse())
        expect(canonicalJson(reversed)).toBe(canonicalJson(value))
      }),
    )
  })

  it('writes every string as JSON.stringify does', () => {
    const units = fc.integer({ min: 0, max: 0xffff }).map((code) => String.fromCharCode(code))
    fc.assert(
      fc.property(fc.array(units), (characters) => {
        const text = characters.join('')
        expect(canonicalJson([text])).toBe(JSON.stringify([text]))
      }),
    )
  })

  it.each([Number.NaN, Number.POSITIVE_INFINITY])('refuses %s', (value) => {
    expect(() => canonicalJson({ value })).toThrow(RangeError)
  })

  it('refuses what JSON cannot hold', () => {
    expect(() => canonicalJson({ value: () => 1 })).toThrow('function')
  })
})
