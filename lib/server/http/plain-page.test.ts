import { describe, expect, it } from 'vitest'
import { plainPage } from './plain-page.ts'

const ICON = 5014
const MENU = 42516
const needsScripts = (id: string) => id !== String(ICON)

const push = (text: string) =>
  `<script nonce="n">self.__next_f.push(${JSON.stringify([1, text])})</script>`
const reference = (id: number | string) =>
  `1f:I[${JSON.stringify(id)},["/_next/static/chunks/a.js"],"default"]\n`

/** A page as Next writes it; `data` = its flight data, in the parts that it was sent in. */
function page(data: readonly string[], { body = '', html = '<html lang="en">' } = {}): string {
  return [
    `<!DOCTYPE html>${html}<head><link rel="preload" as="script" href="/_next/static/chunks/b.js"/>`,
    '<script nonce="n">site()</script><link rel="stylesheet" href="/_next/a.css"/></head>',
    `<body><p><!--$-->1<!-- --> of 2<!--/$--></p>${body}`,
    '<script src="/_next/static/chunks/old.js" noModule="" nonce="n"></script>',
    '<script nonce="n" id="_R_">(globalThis["TURBOPACK"] || (globalThis["TURBOPACK"] = [])).push({})</script>',
    '<script nonce="n">(self.__next_f=self.__next_f||[]).push([0])</script>',
    ...data.map(push),
    '<script src="/_next/static/chunks/c.js" async="" nonce="n"></script></body></html>',
  ].join('')
}

describe('a page whose client components are complete without scripts', () => {
  it('is sent with its own script and none of React', () => {
    const plain = plainPage(page([reference(ICON), '2:["$","p",null,{}]\n']), needsScripts)
    expect(plain).toBe(
      '<!DOCTYPE html><html lang="en"><head><script nonce="n">site()</script><link rel="stylesheet" href="/_next/a.css"/></head><body><p>1 of 2</p></body></html>',
    )
  })

  it('is told from others by every reference, also one that was sent in two parts', () => {
    const whole = reference(ICON) + reference(MENU)
    for (let at = 1; at < whole.length; at++)
      expect(
        plainPage(page([whole.slice(0, at), whole.slice(at)]), needsScripts),
        `${at}`,
      ).toBeNull()
  })

  it('knows modules by name too', () => {
    expect(plainPage(page([reference('menu')]), needsScripts)).toBeNull()
  })
})

describe('a page is sent as it is', () => {
  const icon = [reference(ICON)]
  it.each([
    ['without data, of which nothing is known', page([])],
    ['with data that names no component', page(['2:["$","p",null,{}]\n'])],
    [
      'with parts that came late',
      page(icon, { body: '<script nonce="n">$RC("B:0","S:0")</script>' }),
    ],
    ['that failed', page(icon, { html: '<html id="__next_error__">' })],
  ])('%s', (_, html) => {
    expect(plainPage(html, needsScripts)).toBeNull()
  })

  it('also when what somebody wrote looks like a reference', () => {
    expect(plainPage(page([reference(ICON), `3:T9,\n${reference(MENU)}`]), needsScripts)).toBeNull()
  })

  it('is refused when its data is not read', () => {
    const other = page(icon).replace('push([1,', 'push([3,7,')
    expect(() => plainPage(other, needsScripts)).toThrow('the data of a page')
  })
})
