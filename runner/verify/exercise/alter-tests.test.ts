import typescript from 'typescript-gate'
import { describe, expect, it } from 'vitest'
import { alterTests } from './alter-tests.ts'
import { findExpectations } from './types/find-expectations.ts'

const alterAll = (text: string, draws: number[]): string => {
  const tests = [{ path: 'a.test.ts', text }]
  let at = 0
  const draw = (below: number) => (draws[at++ % draws.length] ?? 0) % below
  return alterTests(tests, findExpectations(typescript, tests), draw)?.tests[0]?.text ?? 'nothing'
}
// The random choices: which expectation, whether a literal (not 0), which literal, by how much.
const LITERAL = [0, 1, 0, 3]
const OPPOSITE = [0, 0]

describe('alterTests', () => {
  it.each([
    ['a number', 'expect(f(1)).toBe(2)', 'expect(f(1)).toBe((2 + 10))'],
    ['a text', "expect(f('a')).toEqual('b')", "expect(f('a')).toEqual('b\\u00a73')"],
    ['a template', 'expect(f()).toBe(`b`)', 'expect(f()).toBe(`b\\u00a73`)'],
    ['a truth', 'expect(f()).toBe(true)', 'expect(f()).toBe(false)'],
    [
      'the inside of a value',
      'expect(f()).toEqual({ a: [1] })',
      'expect(f()).toEqual({ a: [(1 + 10)] })',
    ],
    ['a message', "expect(f).toThrow('x')", "expect(f).toThrow('x\\u00a73')"],
    [
      'behind a promise',
      "await expect(p).rejects.toThrow('x')",
      "await expect(p).rejects.toThrow('x\\u00a73')",
    ],
  ])('alters %s', (_name, before, after) => {
    expect(alterAll(before, LITERAL)).toBe(after)
  })

  it.each([
    ['without a literal', 'expect(f).toThrow()', 'expect(f).not.toThrow()', LITERAL],
    ['with one', 'expect(f()).toBe(2)', 'expect(f()).not.toBe(2)', OPPOSITE],
    ['negated already', 'expect(f()).not.toBe(2)', 'expect(f()).toBe(2)', LITERAL],
    ['behind a promise', 'expect(p).resolves.toBe(x)', 'expect(p).resolves.not.toBe(x)', LITERAL],
    [
      'of a comparison',
      'expect(f()).toBeGreaterThan(2)',
      'expect(f()).not.toBeGreaterThan(2)',
      LITERAL,
    ],
  ])('says the opposite: %s', (_name, before, after, draws) => {
    expect(alterAll(before, draws)).toBe(after)
  })

  it('leaves arguments, keys, calls and what is not an expectation alone', () => {
    expect(alterAll('expect(f(1, "a")).toEqual(g(2))', LITERAL)).toBe(
      'expect(f(1, "a")).not.toEqual(g(2))',
    )
    expect(alterAll('assert(f(1) === 2); expect.assertions(1)', LITERAL)).toBe('nothing')
  })

  it('alters about a third, one at least, never two at one place', () => {
    const many = Array.from({ length: 30 }, (_, n) => `expect(f(${n})).toBe(${n})`).join('\n')
    const tests = [{ path: 'a.test.ts', text: many }]
    const altered = alterTests(tests, findExpectations(typescript, tests))
    expect(altered?.altered).toBe(10)
    expect(altered?.tests[0]?.text.split('\n')).toHaveLength(30)
  })
})
