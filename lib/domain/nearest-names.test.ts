import { describe, expect, it } from 'vitest'
import { nearestNames, unknownName } from './nearest-names.ts'

const KNOWN = ['lru-cache', 'csv-parser', 'rate-limiter', 'text-diff']

describe('nearestNames', () => {
  it.each([
    ['lru-cahce', 'lru-cache'],
    ['csv', 'csv-parser'],
    ['Rate-Limitr', 'rate-limiter'],
  ])('finds for %s the name %s first', (wanted, expected) => {
    expect(nearestNames(wanted, KNOWN)[0]).toBe(expected)
  })

  it('offers nothing for a word that is like none', () => {
    expect(nearestNames('zzzzzzzzzzzzzz', KNOWN)).toEqual([])
  })
})

describe('unknownName', () => {
  it('says one line with the nearest names, or with all of them', () => {
    expect(unknownName('task', 'lru-cash', KNOWN)).toBe(
      'unknown task "lru-cash": did you mean lru-cache?',
    )
    expect(unknownName('task', 'zzzzzzzzzzzzzz', KNOWN)).toBe(
      `unknown task "zzzzzzzzzzzzzz": choose from ${KNOWN.join(', ')}`,
    )
  })
})
