import { expect, it } from 'vitest'
import { formatPlace, parsePlace } from './list-place.ts'

it('reads the places that it wrote, and nothing else', () => {
  const place = ['2026-11-27T17:00:00.000Z', 'run_ä'] as const
  expect(parsePlace(formatPlace(place))).toEqual(place)
  const others = ['', 'x', 'bnVsbA', Buffer.from('["a"]').toString('base64url')]
  for (const text of [...others, formatPlace(['', 'x'.repeat(300)])])
    expect(parsePlace(text), text).toBeNull()
})
