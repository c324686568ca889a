import type { Rule } from '../rule.ts'

/** What was taken back in public is no claim, however good its numbers look. */
export const invalidatedRule: Rule = {
  code: 'invalidated',
  fromSeed: false,
  demand: () => 'Neither the row nor a run that it counts was invalidated in the ledger.',
  check: ({ context: { invalidations } }) => {
    const [first, ...more] = invalidations
    if (!first) return null
    const others = more.length > 0 ? ` (and ${more.length} more entries)` : ''
    const said = first.reason.trim().replace(/\.$/, '')
    return {
      reason: `The ledger invalidated ${first.target} on ${first.at.slice(0, 10)}${others}: ${said}.`,
      remedy: 'Run the plan afresh, or have the invalidation taken back in the ledger.',
    }
  },
}
