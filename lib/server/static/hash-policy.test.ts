import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { pagePolicy } from '../http/page-policy.ts'
import { hashPolicy } from './hash-policy.ts'

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

  it.each([
    '<script>evil()</script>',
    '<SCRIPT nonce="">evil()</SCRIPT>',
    '<script data-x=">" src="data:,evil()"></script>',
    '<style>body{display:none}</style>',
  ])('allows nothing that its nonce does not allow: %s', (evil) => {
    expect(page(`<script nonce="${NONCE}">ours()</script><p>${evil}</p>`)).toBeNull()
  })

  it('needs a nonce to replace', () => {
    expect(hashPolicy({ html: '', policy: "default-src 'none'" })).toBeNull()
  })
})
