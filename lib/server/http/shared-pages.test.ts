import { describe, expect, it } from 'vitest'
import { cacheHeaders, findValidTag, isShared, pageTag } from './shared-pages.ts'

const ask = (pathname: string, headers: Record<string, string> = {}, method = 'GET') =>
  isShared({ method, pathname, headers: new Headers(headers) })

describe('a page that is the same for all readers', () => {
  it.each([
    ...['/', '/suites', '/runs', '/agents', '/models', '/reports', '/ledger', '/audit', '/plan'],
    ...['/compare', '/rows/row_1', '/runs/run_1', '/suites/a', '/suites/a/tasks/b'],
    ...['/reports/cost', '/episodes/ep_1', '/api-reference', '/agents/openai%2Fgpt'],
  ])('is %s', (path) => {
    expect(ask(path)).toBe(true)
    expect(ask(path, { cookie: 'visited=1' }, 'HEAD')).toBe(true)
  })

  it.each([
    ['for a session', '/', { cookie: 'a=b; proofboard.session_token=x' }],
    ['for a secure session', '/', { cookie: '__Secure-proofboard.session_token=x' }],
    ['for a browser that signed in before', '/', { cookie: 'proofboard.device=x' }],
    ['for a credential', '/', { authorization: 'Bearer x' }],
    ['in the administration', '/admin', {}],
    ['at the sign-in', '/sign-in', {}],
    ['below a run', '/runs/run_1/log', {}],
    ['at another page of that beginning', '/compared', {}],
  ])('is not there %s', (_, path, headers) => {
    expect(ask(path, headers)).toBe(false)
  })

  it('is not there for a write', () => {
    expect(ask('/', {}, 'POST')).toBe(false)
  })
})

it('tells every cache how long to keep a shared page, and none to keep another', () => {
  expect(cacheHeaders(true, 'W/"x"')).toEqual({
    'cache-control': 'public, s-maxage=5, stale-while-revalidate=60',
    etag: 'W/"x"',
  })
  expect(cacheHeaders(true, null)).not.toHaveProperty('etag')
  expect(cacheHeaders(false, null)).toEqual({ 'cache-control': 'private, no-store' })
})

it('finds the tag of a copy by the state, whatever nonce it was rendered with', () => {
  const [old, first, second] = [pageTag('a', 'n1'), pageTag('b', 'n2='), pageTag('b', 'n3')]
  expect(findValidTag(`${old}, ${first}`, 'b')).toBe(first)
  expect(findValidTag(second, 'b')).toBe(second)
  for (const known of [null, '*', old, 'W/"ba.n1"', '"b.n1"'])
    expect(findValidTag(known, 'b')).toBeNull()
})
