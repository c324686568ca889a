import { expect, it } from 'vitest'
import { NotedReads } from '../evidence/noted-reads.ts'
import { pagePolicy } from './page-policy.ts'
import { chooseEncoding, describePage } from './sent-pages.ts'

it.each([
  ['gzip, deflate, br, zstd', 'br'],
  ['gzip;q=1.0, br;q=0.5', 'br'],
  ['gzip, br;q=0', 'gzip'],
  ['GZIP ; q=0.4', 'gzip'],
  ['gzip;q=0.0, br;q=0.000', null],
  ['deflate, brotli, x-gzip', null],
  ['', null],
])('%j is sent %s', (accepted, encoding) => {
  expect(chooseEncoding(accepted)).toBe(encoding)
})

it('sends with a page the preloads of its fonts alone, without a nonce, and names each header once that it varies by', async () => {
  const font = '</f.woff2>; rel=preload; as="font"; crossorigin=""; nonce="aBc="; type="font/woff2"'
  const style = '</s.css>; rel=preload; as="style"; nonce="aBc="'
  const headers = { link: `${font}, ${style}`, vary: 'rsc, accept-encoding' }
  const body = Buffer.from('<!DOCTYPE html><html><head></head><body></body></html>')
  const page = await describePage(
    { status: 200, headers, body },
    { stamp: '', reads: new NotedReads() },
  )
  expect(page?.headers.link).toBe(
    '</f.woff2>; rel=preload; as="font"; crossorigin=""; type="font/woff2"',
  )
  expect(page?.headers.vary).toBe('rsc, Accept-Encoding, Cookie')
})

const NONCE = 'bm9uY2Utb2YtMTYtYnl0ZQ=='

/** As Next writes it: a file that is loaded later, and data in a script. */
function describe(inBody: string) {
  const own = `nonce="${NONCE}"`
  const html = `<html><head><script src="/_next/a.js" async="" ${own}></script></head><body>${inBody}<script ${own}>(self.__next_f=self.__next_f||[]).push([0])</script></body></html>`
  const headers = {
    'content-security-policy': pagePolicy(NONCE, false),
    link: `</font.woff2>; rel=preload; nonce="${NONCE}"; as="font"`,
  }
  const answer = { status: 200, headers, body: Buffer.from(html) }
  return describePage(answer, { stamp: '1', reads: new NotedReads() })
}

it('keeps a page with its files loaded later, and its nonce nowhere', async () => {
  const page = await describe('<p>text</p>')
  expect(page?.body.toString()).toContain('requestAnimationFrame')
  expect(page?.policy).toContain("'sha256-")
  expect(JSON.stringify([page, page?.body.toString()])).not.toContain(NONCE)
})

it('holds no more of memory than what it sends', async () => {
  const page = await describe('<p>text</p>')
  for (const bytes of [page?.encoded.br, page?.encoded.gzip])
    expect(bytes?.buffer.byteLength).toBeLessThanOrEqual(Buffer.poolSize)
})

it('keeps no page with a script that its nonce does not allow', async () => {
  expect(await describe('<script>evil()</script>')).toBeNull()
})
