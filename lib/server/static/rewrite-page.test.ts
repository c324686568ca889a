import { describe, expect, it } from 'vitest'
import { canonicalAddress, fragmentOf } from './canonical-address.ts'
import { listLinks, rewritePage } from './rewrite-page.ts'
import { fileOf, isCopied } from './site-address.ts'

const ORIGINS = ['https://board.example']
const HTML = 'text/html; charset=utf-8'

describe('an address of the site', () => {
  it.each([
    ['/runs/', '/runs'],
    ['?tab=diff', '/episodes/ep_1?tab=diff'],
    ['/?suite=b&q=&chart=cost', '/?chart=cost&suite=b'],
    ['https://board.example/ledger', '/ledger'],
    ['/compare?rows=a%2Cb&_rsc=x1', '/compare?rows=a%2Cb'],
    ['/?suite=a&open=row_1', '/?open=row_1&suite=a'],
    ['/?suite=a&open=row_1&chart=cost', '/?chart=cost&suite=a'],
    ['/episodes/ep_1?tab=logs&line=9', '/episodes/ep_1?tab=logs'],
    ['https://elsewhere.example/ledger', null],
    ['//elsewhere.example/ledger', null],
  ])('%s is %s', (href, address) => {
    expect(canonicalAddress(href, '/episodes/ep_1', ORIGINS)).toBe(address)
  })

  it('names a place in its page', () => {
    expect(fragmentOf('/methodology#gate-pins')).toBe('#gate-pins')
    expect(fragmentOf('/episodes/ep_1?tab=logs&line=9')).toBe('#L9')
    expect(fragmentOf('/compare?line=9')).toBe('')
  })

  it.each([
    ['/', HTML, 'index.html'],
    ['/rows/row_1', HTML, 'rows/row_1/index.html'],
    ['/models/gpt-5.4', HTML, 'models/gpt-5.4/index.html'],
    ['/api/v1/ledger', 'application/json', 'api/v1/ledger/index.json'],
    ['/api/v1/ledger.json', 'application/json', 'api/v1/ledger.json'],
    ['/feed.xml', 'application/atom+xml; charset=utf-8', 'feed.xml'],
  ])('%s, %s, is the file %s', (address, type, file) => {
    expect(fileOf(address, type)).toBe(file)
  })

  it('with a state, or with strange characters, is a file of its own that every host can name', () => {
    const names = [
      fileOf('/?suite=a', HTML),
      fileOf('/?suite=b', HTML),
      fileOf('/models/openai%2Fgpt', HTML),
      fileOf('/models/openai-gpt', HTML),
      fileOf('/models/%2e%2e', HTML),
      fileOf('/feed.xml?agent=a', 'application/xml'),
    ]
    expect(new Set(names).size).toBe(names.length)
    for (const name of names) expect(name).toMatch(/^(?:[\w-][\w.-]*\/)*[\w-][\w.-]*$/)
  })

  it('that only a server answers is not copied', () => {
    const left = [
      '/admin',
      '/plan?suite=a',
      '/sign-in',
      '/api/admin/x',
      '/api/v1/health',
      '/?entries=a',
    ]
    expect(left.filter(isCopied)).toEqual([])
    expect(['/', '/planets', '/api/v1/runs', '/?chart=cost'].every(isCopied)).toBe(true)
  })
})

describe('a page of the copy', () => {
  const html = [
    '<!DOCTYPE html><html><head><script src="/_next/static/a.js" nonce="bm9uY2U="></script></head><body>',
    '<a href="/runs">Runs</a><a href="/plan?topUp=1">Plan</a><a href="#x">x</a>',
    '<a href="https://board.example/runs?a=1&amp;b=2#files">Files</a><a href="https://other.example/">O</a>',
    '<form action="/runs"></form><img src="data:image/png;base64,AA==">',
    '<script nonce="bm9uY2U=">self.x=["<a href=\\"/runs\\">","/_next/static/b.css"]</script></body></html>',
  ].join('')
  const place = {
    address: '/rows/row_1',
    file: 'rows/row_1/index.html',
    origins: ORIGINS,
    find: (address: string) => (address.startsWith('/runs') ? 'runs/index.html' : null),
  }

  it('names its links once, those in scripts and forms aside', () => {
    expect(listLinks(html, place)).toEqual(['/runs', '/plan?topUp=1', '/runs?a=1&b=2'])
  })

  it('leads to files beside it, keeps other sites, and allows its own scripts by hash', () => {
    const page = rewritePage(
      html,
      "script-src 'self' 'nonce-bm9uY2U='; frame-ancestors 'none'",
      place,
    )
    expect(page).toContain('<a href="../../runs/index.html">Runs</a>')
    expect(page).toContain('<a href="../../runs/index.html#files">Files</a>')
    expect(page).toContain('<a href="../../not-here/index.html#/plan?topUp=1">Plan</a>')
    expect(page).toContain('<a href="#x">x</a>')
    expect(page).toContain('<a href="https://other.example/">')
    expect(page).toContain('src="data:image/png;base64,AA=="')
    expect(page).toContain('src="../../_next/static/a.js"')
    expect(page).toContain('"../../_next/static/b.css"')
    expect(page).toContain('<a href=\\"/runs\\">')
    const [, escaped = ''] =
      /http-equiv="Content-Security-Policy" content="([^"]*)"/.exec(page) ?? []
    const policy = escaped.replaceAll('&#39;', "'")
    expect(policy).toMatch(/script-src 'self' 'sha256-/)
    expect(policy).not.toMatch(/nonce|frame-ancestors|unsafe-inline'(?!;)/)
  })
})
