import type { Rule } from '../rule.ts'

/** Invalidated results are never ranked. */
export const invalidatedRule: Rule = {
  code: 'invalidated',
  fromSeed: false,
  demand: () => 'Neither the entry nor any of its runs is invalidated in the ledger.',
  check: ({ context: { invalidations } }) => {
    const [first, ...more] = invalidations
    if (!first) return null
    const others = more.length > 0 ? ` (and ${more.length} more entries)` : ''
    const said = first.reason.trim().replace(/\.$/, '')
    return {
      reason: `The ledger invalidated ${first.target} on ${first.at.slice(0, 10)}${others}: ${said}.`,
      remedy: 'Run the plan again, or ask an administrator to reinstate it in the ledger.',
    }
  },
}
