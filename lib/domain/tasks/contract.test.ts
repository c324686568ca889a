import { expect, it } from 'vitest'
import {
  ASSERTION_KINDS,
  type AssertionSpec,
  assertionSpecSchema,
  formatAssertion,
} from './contract.ts'

const DIGEST = `sha256:${'0'.repeat(64)}`
const SAID: [AssertionSpec, string][] = [
  [
    { kind: 'state', path: 'carts', count: 0 },
    'In the app state, carts contains exactly 0 elements.',
  ],
  [{ kind: 'state', path: 'note', equals: null }, 'In the app state, note is null.'],
  [
    { kind: 'state', path: '', matches: { a: 1, b: [{}, null] } },
    'The app state includes { "a": 1, "b": [{}, null] }.',
  ],
  [{ kind: 'state', path: 'x', exactly: [] }, 'In the app state, x is empty.'],
  [
    { kind: 'state', path: 'x', exactly: [1, 'b'], count: { least: 2 } },
    'In the app state, x contains exactly 1, "b", in any order and contains at least 2 elements.',
  ],
  [{ kind: 'state', path: 'x' }, 'In the app state, x exists.'],
  [
    { kind: 'url', path: '/orders', query: { page: '2' } },
    'The page URL has the path /orders and page=2 in its query.',
  ],
  [{ kind: 'text', css: 'h1', words: { is: 'Done' } }, 'The text of h1 is “Done”.'],
  [
    { kind: 'count', css: 'li', count: { least: 1, most: 3 } },
    'The page shows from 1 to 3 elements of li.',
  ],
  [{ kind: 'count', css: 'li', count: { most: 1 } }, 'The page shows at most 1 element of li.'],
  [
    { kind: 'attribute', css: 'a', name: 'href', words: { contains: 'x' } },
    'The attribute href of a contains “x”.',
  ],
  [
    { kind: 'network', request: 'POST /orders', count: 1, status: 201 },
    'The server received POST /orders exactly 1 time, with response status 201.',
  ],
  [
    { kind: 'download', name: 'a.csv', digest: DIGEST },
    `A file named a.csv with digest ${DIGEST} was downloaded.`,
  ],
  [{ kind: 'storage', in: 'cookie', key: 'sid', absent: true }, 'The cookie sid does not exist.'],
  [
    { kind: 'storage', in: 'local', key: 'draft', words: { is: '' } },
    'draft in the page’s local storage is “”.',
  ],
  [{ kind: 'no-dialog' }, 'No dialog is open.'],
]

it.each(SAID)('puts %j into a sentence', (spec, sentence) => {
  expect(assertionSpecSchema.parse(spec)).toEqual(spec)
  expect(formatAssertion(spec)).toEqual({ kind: spec.kind, label: null, sentence, parts: [] })
})

it('keeps how parts combine, and the author’s own words', () => {
  const leaf: AssertionSpec = { kind: 'no-dialog', label: 'nothing in the way' }
  const all: AssertionSpec = {
    kind: 'all',
    of: [leaf, { kind: 'not', of: { kind: 'any', of: [leaf] } }],
  }
  const bounds = formatAssertion(all)
  expect(bounds.sentence).toBe('All of the following are true.')
  expect(bounds.parts[0]).toMatchObject({ label: 'nothing in the way' })
  expect(bounds.parts[1]?.sentence).toBe('The following is not true.')
  expect(bounds.parts[1]?.parts[0]?.sentence).toBe('At least one of the following is true.')
})

it('is told of every kind there is', () => {
  const bounds = new Set<string>([...SAID.map(([{ kind }]) => kind), 'all', 'any', 'not'])
  expect(ASSERTION_KINDS.filter((kind) => !bounds.has(kind))).toEqual([])
})
