import { expect, it } from 'vitest'
import { NotedReads } from '../evidence/noted-reads.ts'
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
