import { listNames } from '../list-names.ts'
import type { Rule } from '../rule.ts'

/** A finding of a tamper detector stands until somebody resolves it in public. */
export const integrityRule: Rule = {
  code: 'integrity',
  fromSeed: false,
  demand: () => 'No unresolved finding of a tamper detector.',
  check: ({ facts, context }) => {
    const open = facts.filter((fact) => {
      const found = fact.findings > 0 || fact.status === 'tampered'
      return found && !context.resolvedFindings.has(fact.episodeId)
    })
    if (open.length === 0) return null
    return {
      reason: `Tamper detectors found something in ${open.length} of ${facts.length} episodes (tasks: ${listNames(open.map((fact) => fact.taskId))}).`,
      remedy: 'Review the findings and resolve them in the ledger, or run those episodes again.',
    }
  },
}
