import { PROVENANCE_LEVELS, type Provenance } from '../../board/episode-fact.ts'
import type { Rule } from '../rule.ts'

const WORDS: Record<Provenance, string> = {
  manual: 'uploaded by hand',
  token: 'uploaded with a token',
  oidc: 'uploaded by a verified workflow',
  local: 'run here',
}

/** Every episode comes from a sufficiently trusted source. */
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
      reason: `${below.length} of ${facts.length} episodes were ${WORDS[first.provenance]} without a verified sender.`,
      remedy: 'Upload the results with a token or from CI, or run them on this server.',
    }
  },
}
