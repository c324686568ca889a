import { PROVENANCE_LEVELS, type Provenance } from '../../board/episode-fact.ts'
import type { Rule } from '../rule.ts'

const WORDS: Record<Provenance, string> = {
  manual: 'uploaded by hand',
  token: 'sent with an upload token',
  oidc: 'sent by a workflow with its identity proven',
  local: 'run here',
}

/** Somebody known vouches for every episode. */
export const provenanceRule: Rule = {
  code: 'provenance',
  fromSeed: false,
  demand: ({ weakestProvenance }) => `Every episode was at least ${WORDS[weakestProvenance]}.`,
  check: ({ facts, context }) => {
    const least = PROVENANCE_LEVELS.indexOf(context.policy.weakestProvenance)
    const below = facts.filter((fact) => PROVENANCE_LEVELS.indexOf(fact.provenance) < least)
    const first = below[0]
    if (!first) return null
    return {
      reason: `${below.length} of ${facts.length} episodes were ${WORDS[first.provenance]}: nobody vouches for them.`,
      remedy: 'Send the results with an upload token or from CI, or run them here.',
    }
  },
}
