import { expect, it } from 'vitest'
import { chooseEncoding } from './sent-pages.ts'

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
