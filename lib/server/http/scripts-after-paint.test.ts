import { describe, expect, it } from 'vitest'
import { loadScriptsAfterPaint } from './scripts-after-paint.ts'

const file = (name: string) =>
  `<script src="/_next/static/chunks/${name}.js" async="" nonce=""></script>`

describe('scripts of a kept page', () => {
  it('are named once, in their order, by a script at the end of the page', () => {
    const page = `<head><link rel="preload" as="script" href="/_next/static/chunks/b.js"/>${file('a')}</head><body><p>x</p>${file('b')}<script nonce="">inline()</script></body></html>`
    const later = loadScriptsAfterPaint(page, 'n1')
    expect(later).toMatch(
      /^<head><\/head><body><p>x<\/p><script nonce="">inline\(\)<\/script><script nonce="n1">.*<\/script><\/body><\/html>$/,
    )
    expect(later).toContain('["/_next/static/chunks/a.js","/_next/static/chunks/b.js"]')
  })

  it('leaves a script alone that has its place in the page, or is not ours', () => {
    const page = `<body><script src="/_next/static/chunks/old.js" noModule="" nonce=""></script><script src="/other.js" async=""></script></body>`
    expect(loadScriptsAfterPaint(page, 'n1')).toBe(page)
  })

  it('leaves what is no page alone', () => {
    expect(loadScriptsAfterPaint('<rss></rss>', 'n1')).toBe('<rss></rss>')
  })
})
