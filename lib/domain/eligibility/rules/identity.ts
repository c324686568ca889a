import { IDENTITY_FIELDS } from '../../identity/identity-fields.ts'
import { findHidden } from '../../identity/skeleton.ts'
import type { Rule } from '../rule.ts'

/** A row must not be read as somebody else's. */
export const identityRule: Rule = {
  code: 'identity',
  fromSeed: false,
  demand: () =>
    'Name, version, provider and model hold no invisible or deceiving characters and look like no other subject of the ' +
    'board; the name of a shipped agent, library or control stands for its shipped definition.',
  check: ({ facts, context }) => {
    const [fact] = facts
    if (!fact) return null
    for (const [field, words] of IDENTITY_FIELDS) {
      const hidden = findHidden(fact.subject[field] ?? '')
      if (hidden)
        return {
          reason: `The ${words} ${hidden}.`,
          remedy: `Write the ${words} in plain characters and run the subject again.`,
        }
    }
    if (!context.imitation) return null
    return {
      reason: context.imitation,
      remedy: 'Run the subject again under a name and a model id that cannot be taken for others.',
    }
  },
}
