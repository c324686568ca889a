import { describe, expect, it } from 'vitest'
import { NotedReads } from '../evidence/noted-reads.ts'
import { type CachedPage, CachedPages, cacheName } from './cached-pages.ts'

const ask = (url: string, headers: Record<string, string> = {}, method = 'GET') =>
  cacheName({ method, url, headers: { host: 'board.example', ...headers } })

describe('the name of a kept page', () => {
  it('is its whole address as it was asked for', () => {
    const boards = ['/', '/?suite=a', '/compare?rows=x,y', '/rows/row_1']
    const lists = [
      '/suites',
      '/runs',
      '/agents',
      '/models',
      '/runs/run_1',
      '/reports',
      '/ledger',
      '/audit',
      '/plan?suite=a',
      '/api-reference',
    ]
    const names = [...boards, ...lists, '/suites/a', '/reports/cost', '/episodes/ep_1?tab=logs']
    const kept = names.map((url) => ask(url))
    expect(kept).not.toContain(null)
    expect(new Set([...kept, ask('/', { host: 'other.example' })]).size).toBe(names.length + 1)
    expect(ask('/', {}, 'HEAD')).toBe(ask('/'))
  })

  it.each([
    ['a session', '/', { cookie: 'a=b; proofboard.session_token=x' }],
    ['a secure session', '/', { cookie: '__Secure-proofboard.session_token=x' }],
    ['a browser that signed in before', '/', { cookie: 'proofboard.device=x' }],
    ['a credential', '/', { authorization: 'Bearer x' }],
    ['the router', '/', { rsc: '1' }],
    ['a part', '/', { range: 'bytes=0-1' }],
    ['an admin page', '/admin', {}],
    ['the sign-in', '/sign-in', {}],
    ['a part of a run', '/runs/run_1/log', {}],
    ['another page of that beginning', '/compared', {}],
    ['what a way up leads to', '/agents/../admin', {}],
    ['an encoded way up', '/suites/%2E%2e/api/v1/health', {}],
    ['a way up by a backslash', '/agents/..\\sign-in', {}],
    ['an address without a beginning', '//agents/x', {}],
  ])('is none for %s', (_, url, headers) => {
    expect(ask(url, headers)).toBeNull()
  })

  it('is there for a leaderboard of the API, and for nothing else of it', () => {
    expect(ask('/api/v1/leaderboard')).not.toBeNull()
    expect(ask('/api/v1/leaderboard?suite=a', { accept: 'application/json' })).not.toBeNull()
    expect(ask('/api/v1/leaderboard', { accept: 'text/html' })).toBeNull()
    expect(ask('/api/v1/leaderboards')).toBeNull()
    expect(ask('/api/v1/episodes?limit=100')).toBeNull()
  })

  it('is none for a write', () => {
    expect(ask('/', {}, 'POST')).toBeNull()
  })
})

const NOTHING = Buffer.alloc(0)

function page(stamp: string, bytes = 10, reads = new NotedReads()): CachedPage {
  const body = Buffer.alloc(bytes)
  const sent = {
    status: 200,
    headers: {},
    policy: null,
    body,
    encoded: { br: NOTHING, gzip: NOTHING },
    etag: '""',
  }
  return { ...sent, stamp, reads, renderedAt: 0 }
}

describe('kept pages', () => {
  it('are found while the data is what they were rendered from, and for a minute at most', () => {
    const pages = new CachedPages()
    pages.keep('/', page('1'))
    expect(pages.find('/', '1', 60_000)).not.toBeNull()
    expect(pages.find('/', '2', 0)).toBeNull()
    expect(pages.size).toBe(0)
    pages.keep('/', page('2'))
    expect(pages.find('/', '2', 60_001)).toBeNull()
  })

  it('are not found again once a file that they were rendered from is not what it was', () => {
    const reads = new NotedReads()
    const pages = new CachedPages()
    pages.keep('/', page('1', 10, reads))
    expect(pages.find('/', '1', 0)).not.toBeNull()
    reads.refuse()
    expect(pages.find('/', '1', 0)).toBeNull()
    expect(pages.size).toBe(0)
  })

  it('are counted with what they take beside their bytes', () => {
    const pages = new CachedPages()
    for (let name = 0; name < 20_000; name++) pages.keep(`${name}`, page('1'))
    expect(pages.size).toBeLessThan(17_000)
  })

  it('make room: those that were not asked for longest go first', () => {
    const pages = new CachedPages()
    for (const name of ['a', 'b', 'c']) pages.keep(name, page('1', 20_000_000))
    pages.find('a', '1', 0)
    pages.keep('d', page('1', 20_000_000))
    expect(['a', 'b', 'c', 'd'].filter((name) => pages.find(name, '1', 0))).toEqual(['a', 'c', 'd'])
  })
})
