import { IDENTITY_FIELDS } from '../../identity/identity-fields.ts'
import { findHidden } from '../../identity/skeleton.ts'
import type { Rule } from '../rule.ts'

/** An entry must not look like another one. */
export const identityRule: Rule = {
  code: 'identity',
  fromSeed: false,
  demand: () =>
    'Name, version, provider and model contain no invisible or confusable characters and do not look like another entry of the board. The name of a built-in agent, library or control refers to its built-in definition.',
  check: ({ facts, context }) => {
    const [fact] = facts
    if (!fact) return null
    for (const [field, words] of IDENTITY_FIELDS) {
      const hidden = findHidden(fact.subject[field] ?? '')
      if (hidden)
        return {
          reason: `The ${words} ${hidden}.`,
          remedy: `Write the ${words} in plain characters and rerun.`,
        }
    }
    if (!context.imitation) return null
    return {
      reason: context.imitation,
      remedy: 'Rerun with a name and model id that are clearly different.',
    }
  },
}
