import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { allOf, anyOf, notOf } from './judged.ts'

const verdict = fc.constantFrom('pass' as const, 'fail' as const, 'inconclusive' as const)
const verdicts = fc.array(verdict, { maxLength: 6 })

describe('combineVerdicts', () => {
  it.each([
    ['pass', 'pass', 'pass', 'pass'],
    ['pass', 'fail', 'fail', 'pass'],
    ['pass', 'inconclusive', 'inconclusive', 'pass'],
    ['fail', 'fail', 'fail', 'fail'],
    ['fail', 'inconclusive', 'fail', 'inconclusive'],
    ['inconclusive', 'inconclusive', 'inconclusive', 'inconclusive'],
  ] as const)('%s with %s: all %s, any %s, in either order', (left, right, all, any) => {
    expect([allOf([left, right]), allOf([right, left])]).toEqual([all, all])
    expect([anyOf([left, right]), anyOf([right, left])]).toEqual([any, any])
  })

  it('turns pass and fail over and leaves inconclusive', () => {
    expect((['pass', 'fail', 'inconclusive'] as const).map(notOf)).toEqual([
      'fail',
      'pass',
      'inconclusive',
    ])
  })

  it('accepts an empty list', () => {
    expect([allOf([]), anyOf([])]).toEqual(['pass', 'fail'])
  })

  it('obeys De Morgan and double negation', () => {
    fc.assert(
      fc.property(verdicts, (list) => {
        expect(notOf(allOf(list))).toBe(anyOf(list.map(notOf)))
        expect(list.map(notOf).map(notOf)).toEqual(list)
      }),
    )
  })

  it('does not care how verdicts are grouped', () => {
    fc.assert(
      fc.property(verdicts, verdicts, (left, right) => {
        expect(allOf([allOf(left), allOf(right)])).toBe(allOf([...left, ...right]))
        expect(anyOf([anyOf(left), anyOf(right)])).toBe(anyOf([...left, ...right]))
      }),
    )
  })

  it('never decides what learning the unknown could turn over', () => {
    fc.assert(
      fc.property(verdicts, fc.constantFrom('pass' as const, 'fail' as const), (list, learnt) => {
        const known = list.map((one) => (one === 'inconclusive' ? learnt : one))
        for (const combine of [allOf, anyOf])
          if (combine(list) !== 'inconclusive') expect(combine(known)).toBe(combine(list))
      }),
    )
  })
})
