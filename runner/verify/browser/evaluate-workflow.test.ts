import { describe, expect, it } from 'vitest'
import type { Verdict } from '#lib/domain/record/index.ts'
import { contractResultSchema } from '#lib/domain/record/outcome.ts'
import { assertionSpecSchema } from '#lib/domain/tasks/contract.ts'
import type { AssertionSpec } from '#lib/domain/tasks/index.ts'
import { evaluateWorkflow } from './evaluate-workflow.ts'
import type { FinalState, PageReader } from './page-reader.ts'

const DIGEST = `sha256:${'a'.repeat(64)}`
const OTHER = `sha256:${'b'.repeat(64)}`

/** A page with the contents of the table; nothing else of a browser is imitated. */
const PAGE: PageReader = {
  url: async () => 'http://t1.localhost:4000/orders/o-1?tab=lines&page=2#top',
  texts: async (css) => (css === 'li' ? ['Mug  2', 'Tea\n 1'] : []),
  attributes: async (css) => (css === 'input' ? [null, 'true'] : []),
  storage: async (_, key) => ({ value: key === 'cart' ? 'mug, tea' : null }),
  hasDialog: async () => false,
  downloads: async () => [{ name: 'bill.csv', digest: DIGEST }],
  screenshot: async () => null,
}
const nothing = async () => null
const UNKNOWN: PageReader = {
  url: nothing,
  texts: nothing,
  attributes: nothing,
  storage: nothing,
  hasDialog: nothing,
  downloads: nothing,
  screenshot: nothing,
}
const FINAL: FinalState = {
  origin: 'http://t1.localhost:4000',
  state: { orders: [1] },
  requests: [
    { at: '', method: 'POST', path: '/orders?from=cart', status: 303, client: null },
    { at: '', method: 'POST', path: '/orders', status: null, client: null },
    { at: '', method: 'GET', path: '/orders/o-1', status: 200, client: null },
  ],
  page: PAGE,
}

async function verdictOf(spec: AssertionSpec, final: Partial<FinalState> = {}): Promise<Verdict> {
  const contract = [assertionSpecSchema.parse(spec)]
  return (await evaluateWorkflow(contract, { ...FINAL, ...final })).verdict
}

const LEAVES: [AssertionSpec, 'pass' | 'fail'][] = [
  [{ kind: 'state', path: 'orders', count: 1 }, 'pass'],
  [{ kind: 'url', path: '/orders/o-1' }, 'pass'],
  [{ kind: 'url', path: '/orders/*' }, 'pass'],
  [{ kind: 'url', path: '/orders/*#top' }, 'pass'],
  [{ kind: 'url', path: '/orders' }, 'fail'],
  [{ kind: 'url', path: '/orders/*#end' }, 'fail'],
  [{ kind: 'url', query: { page: '2' } }, 'pass'],
  [{ kind: 'url', query: { page: '1' } }, 'fail'],
  [{ kind: 'text', css: 'li', words: { is: 'Mug 2' } }, 'pass'],
  [{ kind: 'text', css: 'li', words: { is: 'Mug' } }, 'fail'],
  [{ kind: 'text', css: 'li', words: { contains: 'ea 1' } }, 'pass'],
  [{ kind: 'text', css: 'h1', words: { contains: 'M' } }, 'fail'],
  [{ kind: 'count', css: 'li', count: 2 }, 'pass'],
  [{ kind: 'count', css: 'li', count: { most: 1 } }, 'fail'],
  [{ kind: 'count', css: 'h1', count: 0 }, 'pass'],
  [{ kind: 'attribute', css: 'input', name: 'aria-checked', words: { is: 'true' } }, 'pass'],
  [{ kind: 'attribute', css: 'input', name: 'aria-checked', words: { is: 'false' } }, 'fail'],
  [{ kind: 'attribute', css: 'p', name: 'id', words: { is: 'x' } }, 'fail'],
  [{ kind: 'network', request: 'POST /orders', count: 2 }, 'pass'],
  [{ kind: 'network', request: 'POST /orders', count: 1, status: 303 }, 'pass'],
  [{ kind: 'network', request: 'POST /orders?from=cart', count: 1 }, 'pass'],
  [{ kind: 'network', request: 'GET /orders/*', count: { least: 2 } }, 'fail'],
  [{ kind: 'network', request: 'DELETE /orders', count: 0 }, 'pass'],
  [{ kind: 'download', digest: DIGEST }, 'pass'],
  [{ kind: 'download', name: 'other.csv', digest: DIGEST }, 'fail'],
  [{ kind: 'download', digest: OTHER }, 'fail'],
  [{ kind: 'storage', in: 'local', key: 'cart' }, 'pass'],
  [{ kind: 'storage', in: 'local', key: 'cart', words: { contains: 'tea' } }, 'pass'],
  [{ kind: 'storage', in: 'local', key: 'cart', words: { is: 'tea' } }, 'fail'],
  [{ kind: 'storage', in: 'local', key: 'cart', absent: true }, 'fail'],
  [{ kind: 'storage', in: 'cookie', key: 'session', absent: true }, 'pass'],
  [{ kind: 'storage', in: 'session', key: 'session' }, 'fail'],
  [{ kind: 'no-dialog' }, 'pass'],
]

describe('evaluateWorkflow', () => {
  it.each(LEAVES)('%j: %s', async (spec, verdict) => {
    expect(await verdictOf(spec)).toBe(verdict)
    expect(await verdictOf({ kind: 'not', of: spec })).toBe(verdict === 'pass' ? 'fail' : 'pass')
  })

  it.each(LEAVES)('%j cannot be decided when the page cannot be read', async (spec) => {
    const unknown = { state: null, requests: null, page: UNKNOWN }
    expect(await verdictOf(spec, unknown)).toBe('inconclusive')
    expect(await verdictOf({ kind: 'not', of: spec }, unknown)).toBe('inconclusive')
  })

  it('fails on a page of another origin', async () => {
    const page = { ...PAGE, url: async () => 'http://t2.localhost:4000/orders/o-1' }
    expect(await verdictOf({ kind: 'url', path: '/orders/*' }, { page })).toBe('fail')
  })

  it('decides about a page that was closed: it shows nothing and has no dialog', async () => {
    const closed = { url: async () => '', texts: async () => [], attributes: async () => [] }
    const page = { ...UNKNOWN, ...closed, hasDialog: async () => false }
    expect(await verdictOf({ kind: 'no-dialog' }, { page })).toBe('pass')
    expect(await verdictOf({ kind: 'url' }, { page })).toBe('fail')
    expect(await verdictOf({ kind: 'count', css: 'li', count: { least: 1 } }, { page })).toBe(
      'fail',
    )
  })

  it('fails on an open dialog', async () => {
    const page = { ...PAGE, hasDialog: async () => true }
    expect(await verdictOf({ kind: 'no-dialog' }, { page })).toBe('fail')
  })

  it('combines three verdicts and keeps the tree', async () => {
    const pass: AssertionSpec = { kind: 'no-dialog' }
    const fail: AssertionSpec = { kind: 'count', css: 'li', count: 9, label: 'nine rows' }
    const unknown: AssertionSpec = { kind: 'text', css: 'li', words: { is: 'Mug' } }
    const page = { ...PAGE, texts: async (css: string) => (css === 'li' ? null : []) }
    const of: AssertionSpec[] = [pass, unknown]
    expect(await verdictOf({ kind: 'any', of }, { page })).toBe('pass')
    expect(await verdictOf({ kind: 'all', of }, { page })).toBe('inconclusive')
    expect(await verdictOf({ kind: 'not', of: { kind: 'all', of } }, { page })).toBe('inconclusive')
    const result = await evaluateWorkflow(
      [{ kind: 'any', of: [fail, { kind: 'not', of: pass }] }, pass],
      FINAL,
    )
    expect(result.verdict).toBe('fail')
    expect(result.assertions[0]).toMatchObject({
      kind: 'any',
      expected: 'at least one of 2 hold',
      observed: '0 hold',
      children: [
        {
          label: 'nine rows',
          expected: 'exactly 9 of li',
          observed: '2 elements: "Mug  2", "Tea\\n 1"',
        },
        { kind: 'not', expected: 'not: no dialog is open', children: [{ verdict: 'pass' }] },
      ],
    })
    expect(result.assertions[1]?.verdict).toBe('pass')
  })

  it('keeps texts of any size within what an envelope holds', async () => {
    const huge = '🐘'.repeat(200_000)
    const page = { ...PAGE, texts: async () => Array.from({ length: 50 }, () => huge) }
    const result = await evaluateWorkflow(
      [
        { kind: 'text', css: 'p', words: { is: huge } },
        { kind: 'state', path: '', exactly: Array.from({ length: 50 }, () => huge) },
      ],
      { ...FINAL, page, state: { huge } },
    )
    expect(contractResultSchema.parse(result)).toEqual(result)
    expect(JSON.stringify(result)).not.toMatch(/\\ud8/)
  })
})
