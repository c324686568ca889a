import type { EpisodeFact } from '../../board/episode-fact.ts'
import { isScored } from '../../outcome.ts'
import { countOf, listNames } from '../list-names.ts'
import type { Rule } from '../rule.ts'

/** Seed: only the success criteria decide the verdict. */
export const postconditionRule: Rule = {
  code: 'postcondition',
  fromSeed: true,
  demand: () =>
    'The success criteria of every scored episode were evaluated with a conclusive verdict.',
  check: ({ facts }) => {
    const wanting = facts.filter((fact) => isScored(fact.status) && !isJudged(fact))
    if (wanting.length === 0) return null
    const where = listNames(wanting.map((fact) => fact.taskId))
    const verb = wanting.length === 1 ? 'has' : 'have'
    return {
      reason: `${countOf(wanting.length, 'scored episode')} ${verb} no conclusive verdict (tasks: ${where}).`,
      remedy: 'Rerun those episodes so that their success criteria are evaluated.',
    }
  },
}

/** A verdict exists, and a solved episode's verdict is a pass. */
function isJudged({ status, verdict }: EpisodeFact): boolean {
  if (verdict === null || verdict === 'inconclusive') return false
  return status !== 'solved' || verdict === 'pass'
}
