import { describe, expect, it } from 'vitest'
import type { Assertion } from '#lib/domain/record/index.ts'
import { errorTitle, groupErrors, normaliseError } from './error-groups.ts'

const STACK =
  '\n    at Object.toBe (/tmp/run-1/two-fer.test.ts:12:31)\n    at node:internal/main:1:2'

const failed = (label: string, observed: string): Assertion => {
  return { kind: 'test', label, expected: 'passes', observed, verdict: 'fail', children: [] }
}

const jest = (expected: string, received: string) =>
  `Error: expect(received).toBe(expected) // Object.is equality\n\nExpected: ${expected}\nReceived: ${received}${STACK}`

const objects = (key: string, value: number) =>
  `expect(received).toEqual(expected) // deep equality\n\n- Expected  - 1\n+ Received  + 1\n\n  Object {\n    "${key}": Array [\n-     ${value},\n+     ${value + 1},\n    ],\n  }`

describe('errors that are the same', () => {
  const SAME: Record<string, [string, string]> = {
    'other values': [jest('4', 'undefined'), jest('"One for Bob"', '"Bob"')],
    'other object diffs': [objects('lines', 4), objects('total', 981)],
    'other paths and lines': [
      'TypeError: no such export in /tmp/a1/src/x.ts:3:9',
      'TypeError: no such export in /var/b/lib/y.ts:77:1',
    ],
    'other stacks': [
      `Error: not implemented${STACK}`,
      'Error: not implemented\n    at async f (x)',
    ],
    colours: ['\u001b[31mError: not implemented\u001b[39m', 'Error: not implemented'],
    'other seeds and times': [
      'Property failed after 12 tests { seed: 1893, path: "0:1" } in 4.2 ms',
      'Property failed after 3 tests { seed: -77, path: "9" } in 1031 ms',
    ],
    'other identifiers': [
      'lease 3f2504e0-4f89-11d3-9a0c-0305e82c3301 is gone at 0x7ffe12',
      'lease 9b2504e0-4f89-11d3-9a0c-0305e82c33ff is gone at 0x1',
    ],
    'other quoted names': [
      "Cannot read properties of undefined (reading 'add')",
      "Cannot read properties of undefined (reading 'total')",
    ],
    'vitest with its frame': [
      'AssertionError: expected 3 to be 4 // Object.is equality\n ❯ src/a.test.ts:4:5',
      'AssertionError: expected 7 to be 9 // Object.is equality\n ❯ src/b.test.ts:9:2',
    ],
  }
  it.each(Object.entries(SAME))('%s', (_, [one, other]) => {
    expect(normaliseError(one)).toBe(normaliseError(other))
    expect(groupErrors([failed('a', one), failed('b', other)])).toHaveLength(1)
  })
})

it.each([
  ['Error: not implemented', 'TypeError: f is not a function'],
  [jest('1', '2'), objects('a', 1)],
  ['expected 3 to be 4', 'expected 3 to be greater than 4'],
  ['ReferenceError: items is not defined', 'ReferenceError: total is not defined'],
])('keeps different errors apart: %s', (one, other) => {
  expect(groupErrors([failed('a', one), failed('b', other)])).toHaveLength(2)
})

it('puts the most frequent first, keeps the order of the tests, and leaves out what passed', () => {
  const rare = failed('rare', 'TypeError: f is not a function')
  const often = ['a', 'b', 'c'].map((name, index) => failed(name, jest(String(index), 'undefined')))
  const groups = groupErrors([rare, ...often, { ...rare, verdict: 'pass' }])
  expect(groups.map((group) => group.failed.map(({ label }) => label))).toEqual([
    ['a', 'b', 'c'],
    ['rare'],
  ])
  expect(groups[0]?.first).toBe(jest('0', 'undefined'))
})

it('says an error in one line, with both values of a matcher and without its stack', () => {
  expect(errorTitle(jest('4', 'undefined'))).toBe('expected 4, received undefined')
  expect(errorTitle(objects('a', 1))).toBe('expected … 1 …, received … 2 …')
  expect(errorTitle('expect(spy).toHaveBeenCalled()')).toBe('expect(spy).toHaveBeenCalled()')
  expect(errorTitle(`TypeError: f is not a function${STACK}`)).toBe(
    'TypeError: f is not a function',
  )
  expect(errorTitle('x'.repeat(900))).toHaveLength(240)
  expect(errorTitle('')).toBe('')
})
