import { listKinds } from '../../identity/kinds-of.ts'
import type { Rule } from '../rule.ts'

/** What is asked of a subject depends on its kind, so nobody chooses the kind that is asked least. */
export const subjectKindRule: Rule = {
  code: 'subject-kind',
  fromSeed: false,
  demand: () =>
    'The subject is of a kind that the suite measures: agents on exercises, libraries on browser suites.',
  check: ({ facts, context: { subjectKinds: taken } }) => {
    if (taken === undefined) return null
    const other = facts.filter(({ subject }) => !taken.includes(subject.kind))
    const [first] = other
    if (!first) return null
    return {
      reason: `${other.length} of ${facts.length} episodes are of kind ${first.subject.kind}, and this suite measures only ${listKinds(taken)}.`,
      remedy: `Run it as ${taken[0]}, with everything that is asked of one.`,
    }
  },
}
