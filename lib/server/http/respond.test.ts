import { gunzipSync, gzipSync } from 'node:zlib'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { logSafeJson, respondStoredJson } from './respond.ts'

it('is the same value as JSON, and nothing that a terminal acts on or hides', () => {
  const text = fc.string({
    unit: fc.constantFrom(...'a"\\\u001b\u009b\u202e\u200b\u2028\u{e0041}\n🦀'),
  })
  fc.assert(
    fc.property(fc.dictionary(text, fc.array(text)), (value) => {
      const json = logSafeJson(value)
      expect(JSON.parse(json)).toEqual(JSON.parse(JSON.stringify(value)))
      expect(/(?!\n)[\p{Cc}\p{Cf}\u2028\u2029]/u.test(json)).toBe(false)
    }),
  )
})

it.each([
  ['gzip, br', 'gzip'],
  ['gzip;q=0.5', 'gzip'],
  ['gzip;q=0, br', null],
  ['identity', null],
])('sends stored JSON to a client that accepts %s compressed: %s', async (accepted, encoding) => {
  const stored = Buffer.from('{"rows":[]}')
  const response = await respondStoredJson(
    new Request('http://127.0.0.1/', { headers: { 'accept-encoding': accepted } }),
    {
      digest: `sha256:${'a'.repeat(64)}`,
      read: async () => stored,
      readGzip: async () => gzipSync(stored),
    },
  )
  expect(response.headers.get('content-encoding')).toBe(encoding)
  const bytes = Buffer.from(await response.arrayBuffer())
  expect(encoding === null ? bytes : gunzipSync(bytes)).toEqual(stored)
})
