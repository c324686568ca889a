import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { hashPolicy } from './hash-policy.ts'
import { pagePolicy } from './page-policy.ts'

const NONCE = 'bm9uY2Utb2YtMTYtYnl0ZQ=='
const hash = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`
const page = (html: string) => hashPolicy({ html, policy: pagePolicy(NONCE, false) })
const directive = (policy: string, name: string) =>
  policy.split('; ').find((part) => part.startsWith(`${name} `))

describe('a page for many readers', () => {
  it('names no nonce and allows exactly its own inline scripts and styles', () => {
    const html = `<head><style nonce="${NONCE}">a{}</style><script src="/x.js" nonce="${NONCE}"></script></head><script id="t" nonce="${NONCE}">theme()</script><p>x</p><script nonce="${NONCE}">push("${NONCE}")</script>`
    const kept = page(html)
    expect(kept?.html).not.toContain(NONCE)
    expect(kept?.policy).not.toMatch(/nonce|strict-dynamic/)
    expect(directive(kept?.policy ?? '', 'script-src')).toBe(
      `script-src 'self' ${hash('theme()')} ${hash('push("")')}`,
    )
    expect(directive(kept?.policy ?? '', 'style-src')).toBe(`style-src 'self' ${hash('a{}')}`)
    expect(directive(kept?.policy ?? '', 'object-src')).toBe("object-src 'none'")
  })

  it('joins the scripts of a stream, so that hundreds of them fit into a header', () => {
    const script = (index: number) => `<script nonce="${NONCE}">push(${index})</script>`
    const kept = page(`<p></p>${Array.from({ length: 300 }, (_, i) => script(i)).join('')}<p></p>`)
    expect(kept?.html.match(/<script/g)).toHaveLength(1)
    expect(kept?.html).toContain('push(0)\n;push(1)\n;push(2)')
  })

  it('joins nothing to a script with a source', () => {
    const source = `<script src="/y.js" nonce="${NONCE}"></script>`
    const inline = (name: string) => `<script nonce="${NONCE}">${name}()</script>`
    const html = `${inline('a')}${source}${inline('b')}${inline('c')}<p></p>${inline('d')}`
    expect(page(html)?.html).toBe(
      '<script nonce="">a()</script><script src="/y.js" nonce=""></script><script nonce="">b()\n;c()</script><p></p><script nonce="">d()</script>',
    )
  })

  it.each([
    '<script>evil()</script>',
    '<SCRIPT nonce="">evil()</SCRIPT>',
    '<script data-x=">" src="data:,evil()"></script>',
    '<style>body{display:none}</style>',
  ])('allows nothing that its nonce does not allow: %s', (evil) => {
    expect(page(`<script nonce="${NONCE}">ours()</script><p>${evil}</p>`)).toBeNull()
  })

  it('is not kept when its list of hashes is too long, or when it has no nonce', () => {
    const script = (index: number) => `<script nonce="${NONCE}">push(${index})</script><p></p>`
    expect(page(Array.from({ length: 300 }, (_, i) => script(i)).join(''))).toBeNull()
    expect(hashPolicy({ html: '', policy: "default-src 'none'" })).toBeNull()
  })
})
