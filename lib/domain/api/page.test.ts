import fc from 'fast-check'
import { expect, it } from 'vitest'
import { cutPage } from './page.ts'

const keyOf = (name: string): [string, string] => [name.slice(0, 1), name]

it('walks every list to the same whole, whatever the size of its pages', () => {
  fc.assert(
    fc.property(
      fc.uniqueArray(fc.string({ minLength: 1, maxLength: 3 })),
      fc.integer({ min: 1, max: 7 }),
      (names, limit) => {
        // Sorted by first letter, then by name, as their keys are compared.
        const sorted = [...names].sort((a, b) => (a < b ? -1 : 1))
        const walked: string[] = []
        let after: readonly [string, string] | null = null
        do {
          const page: ReturnType<typeof cutPage<string>> = cutPage(names, keyOf, { after, limit })
          expect(page.items.length).toBeLessThanOrEqual(limit)
          walked.push(...page.items)
          after = page.last
        } while (after !== null)
        expect(walked).toEqual(sorted)
      },
    ),
  )
})
