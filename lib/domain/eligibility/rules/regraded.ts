import { countOf, listNames } from '../list-names.ts'
import type { Rule } from '../rule.ts'

/** Where this server graded a stored solution again, it came to the same verdict. */
export const regradedRule: Rule = {
  code: 'regraded',
  fromSeed: false,
  demand: () => 'Grading a stored solution again gives the verdict that was handed in.',
  check: ({ facts, context }) => {
    const other = facts.filter((fact) => context.regradeDisagreements.has(fact.episodeId))
    if (other.length === 0) return null
    return {
      reason: `Grading again here gave another verdict for ${countOf(other.length, 'episode')} (tasks: ${listNames(other.map((fact) => fact.taskId))}).`,
      remedy: 'Find out why the two gates disagree, then run those episodes again.',
    }
  },
}
