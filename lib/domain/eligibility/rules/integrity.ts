import { listNames } from '../list-names.ts'
import type { Rule } from '../rule.ts'

/** A tampering finding counts until it is resolved in the public ledger. */
export const integrityRule: Rule = {
  code: 'integrity',
  fromSeed: false,
  demand: () => 'No unresolved tampering findings.',
  check: ({ facts, context }) => {
    const open = facts.filter((fact) => {
      const found = fact.findings > 0 || fact.status === 'tampered'
      return found && !context.resolvedFindings.has(fact.episodeId)
    })
    if (open.length === 0) return null
    return {
      reason: `Tampering findings in ${open.length} of ${facts.length} episodes (tasks: ${listNames(open.map((fact) => fact.taskId))}).`,
      remedy: 'Review the findings and resolve them in the ledger, or rerun those episodes.',
    }
  },
}
