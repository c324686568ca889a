import { countOf, listNames } from '../list-names.ts'
import type { Rule } from '../rule.ts'

/** Regrading a stored solution on this server gives the same verdict. */
export const regradedRule: Rule = {
  code: 'regraded',
  fromSeed: false,
  demand: () => 'Regrading a stored solution gives the submitted verdict.',
  check: ({ facts, context }) => {
    const other = facts.filter((fact) => context.regradeDisagreements.has(fact.episodeId))
    if (other.length === 0) return null
    return {
      reason: `Regrading changed the verdict of ${countOf(other.length, 'episode')} (tasks: ${listNames(other.map((fact) => fact.taskId))}).`,
      remedy: 'Find out why the two verifiers disagree, then rerun those episodes.',
    }
  },
}
