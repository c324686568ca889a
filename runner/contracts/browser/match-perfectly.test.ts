import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { matchPerfectly } from './match-perfectly.ts'

/** Which element each pattern fits, as a table of 0 and 1. */
const tables = fc
  .tuple(fc.integer({ min: 0, max: 5 }), fc.integer({ min: 0, max: 5 }))
  .chain(([patterns, elements]) =>
    fc.record({
      patterns: fc.constant(patterns),
      elements: fc.constant(elements),
      fits: fc.array(fc.array(fc.boolean(), { minLength: elements, maxLength: elements }), {
        minLength: patterns,
        maxLength: patterns,
      }),
    }),
  )

/** The largest matching, by trying everything. */
function largest(fits: boolean[][], from = 0, taken: ReadonlySet<number> = new Set()): number {
  const row = fits[from]
  if (row === undefined) return 0
  const without = largest(fits, from + 1, taken)
  return row.reduce(
    (best, fit, element) =>
      fit && !taken.has(element)
        ? Math.max(best, 1 + largest(fits, from + 1, new Set([...taken, element])))
        : best,
    without,
  )
}

describe('matchPerfectly', () => {
  it('does not let a loose pattern take what only a strict one could have', () => {
    const fits = [
      [true, true],
      [true, false],
    ]
    expect(matchPerfectly(2, 2, (one, other) => fits[one]![other]!)).toEqual({
      missing: [],
      unexpected: [],
    })
  })

  it('is as large as any matching can be', () => {
    fc.assert(
      fc.property(tables, ({ patterns, elements, fits }) => {
        const { missing, unexpected } = matchPerfectly(
          patterns,
          elements,
          (one, other) => fits[one]![other]!,
        )
        expect(patterns - missing.length).toBe(largest(fits))
        expect(elements - unexpected.length).toBe(largest(fits))
      }),
    )
  })
})
