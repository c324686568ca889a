import fc from 'fast-check'
import { expect, it } from 'vitest'
import { logSafeJson } from './respond.ts'

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
