import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { judgeState, matchPerfectly } from './judge-state.ts'

const STATE = {
  orders: [
    { id: 'o-1', lines: [{ sku: 'mug', size: 'L', quantity: 2 }], total: 24.5 },
    { id: 'o-2', lines: [], total: 0 },
  ],
  promo: { code: 'SPRING', claimed: 1 },
  note: '',
  nothing: null,
}
type Wish = Omit<Parameters<typeof judgeState>[0], 'kind' | 'path'>
const judge = (path: string, wish: Wish, state: unknown = STATE) =>
  judgeState({ kind: 'state', path, ...wish }, state)

describe('judgeState', () => {
  it.each<[string, Wish, 'pass' | 'fail']>([
    ['', { matches: { note: '' } }, 'pass'],
    ['', { equals: { note: '' } }, 'fail'],
    ['promo', {}, 'pass'],
    ['promo.code', { equals: 'SPRING' }, 'pass'],
    ['promo', { equals: { claimed: 1, code: 'SPRING' } }, 'pass'],
    ['promo', { equals: { code: 'SPRING' } }, 'fail'],
    ['promo', { matches: { code: 'SPRING' } }, 'pass'],
    ['promo', { matches: { claimed: '1' } }, 'fail'],
    ['nothing', { equals: null }, 'pass'],
    ['note', { equals: null }, 'fail'],
    ['orders[0].lines[0].size', { equals: 'L' }, 'pass'],
    ['orders', { matches: { id: 'o-2' } }, 'pass'],
    ['orders', { matches: { lines: [{ sku: 'mug' }] } }, 'pass'],
    ['orders', { matches: {} }, 'fail'],
    ['orders', { matches: { id: 'o-3' } }, 'fail'],
    ['orders', { exactly: [{ id: 'o-2' }, { id: 'o-1' }] }, 'pass'],
    ['orders', { exactly: [{}, { id: 'o-1' }] }, 'pass'],
    ['orders', { exactly: [{ id: 'o-1' }] }, 'fail'],
    ['orders', { exactly: [{ id: 'o-1' }, { id: 'o-1' }] }, 'fail'],
    ['orders[1].lines', { exactly: [] }, 'pass'],
    ['promo', { exactly: [] }, 'fail'],
    ['orders', { count: 2 }, 'pass'],
    ['orders', { count: { least: 3 } }, 'fail'],
    ['orders', { count: { most: 2, least: 1 } }, 'pass'],
    ['note', { count: 0 }, 'pass'],
    ['promo', { count: 2 }, 'pass'],
    ['promo.claimed', { count: 1 }, 'fail'],
    ['orders', { count: 2, matches: { id: 'o-3' } }, 'fail'],
    ['orders[2]', { equals: null }, 'fail'],
    ['orders.length', { equals: 2 }, 'fail'],
    ['promo[0]', {}, 'fail'],
    ['promo.constructor', {}, 'fail'],
    ['note.length', { equals: 0 }, 'fail'],
    ['orders[-1]', {}, 'fail'],
    ['orders..id', {}, 'fail'],
  ])('%s %j: %s', (path, wish, verdict) => {
    expect(judge(path, wish).verdict).toBe(verdict)
  })

  it('says what is there where a path leads nowhere', () => {
    expect(judge('promo.claims.first', { equals: 1 }).observed).toBe(
      'nothing at promo.claims.first; promo is {"code":"SPRING","claimed":1}',
    )
  })

  it('names what differs', () => {
    expect(judge('orders[0]', { matches: { total: 20, paid: true } })).toEqual({
      expected: 'orders[0] has {"total":20,"paid":true}',
      observed: expect.stringMatching(/^total is 24\.5, not 20; paid is missing: \{/),
      verdict: 'fail',
    })
    expect(judge('orders', { exactly: [{ id: 'o-9' }, { id: 'o-1' }] }).observed).toBe(
      '2 elements; missing: {"id":"o-9"}; not expected: {"id":"o-2","lines":[],"total":0}',
    )
  })

  it('does not decide on a state that could not be read', () => {
    expect(judge('orders', { count: 0 }, null).verdict).toBe('inconclusive')
  })

  it('does not find members that a value merely inherits', () => {
    const state = JSON.parse('{"__proto__":{"paid":true}}') as unknown
    expect(judge('paid', {}, state).verdict).toBe('fail')
    expect(judge('', { matches: { toString: {} } }).verdict).toBe('fail')
  })

  it('finds every JSON value equal to itself and a list exactly itself in any order', () => {
    fc.assert(
      fc.property(fc.array(fc.jsonValue()), fc.jsonValue(), (list, value) => {
        const state = JSON.parse(JSON.stringify({ list, value })) as { list: unknown[] }
        const copy = structuredClone(state)
        expect(judge('', { equals: copy }, state).verdict).toBe('pass')
        expect(judge('list', { exactly: copy.list.toReversed() }, state).verdict).toBe('pass')
        const longer = { list: [...state.list, 'one more'] }
        expect(judge('list', { exactly: copy.list }, longer).verdict).toBe('fail')
      }),
    )
  })
})

/** Matches of patterns and elements, as a table of 0 and 1. */
const tables = fc
  .tuple(fc.integer({ min: 0, max: 5 }), fc.integer({ min: 0, max: 5 }))
  .chain(([patterns, elements]) =>
    fc.record({
      patterns: fc.constant(patterns),
      elements: fc.constant(elements),
      fits: fc.array(fc.array(fc.boolean(), { minLength: elements, maxLength: elements }), {
        minLength: patterns,
        maxLength: patterns,
      }),
    }),
  )

/** Finds the largest matching by brute force. */
function largest(fits: boolean[][], from = 0, taken: ReadonlySet<number> = new Set()): number {
  const row = fits[from]
  if (row === undefined) return 0
  const without = largest(fits, from + 1, taken)
  return row.reduce(
    (best, fit, element) =>
      fit && !taken.has(element)
        ? Math.max(best, 1 + largest(fits, from + 1, new Set([...taken, element])))
        : best,
    without,
  )
}

describe('matchPerfectly', () => {
  it('does not let a loose pattern take what only a strict one could have', () => {
    const fits = [
      [true, true],
      [true, false],
    ]
    expect(matchPerfectly(2, 2, (one, other) => fits[one]![other]!)).toEqual({
      missing: [],
      unexpected: [],
    })
  })

  it('is as large as any matching can be', () => {
    fc.assert(
      fc.property(tables, ({ patterns, elements, fits }) => {
        const { missing, unexpected } = matchPerfectly(
          patterns,
          elements,
          (one, other) => fits[one]![other]!,
        )
        expect(patterns - missing.length).toBe(largest(fits))
        expect(elements - unexpected.length).toBe(largest(fits))
      }),
    )
  })
})
