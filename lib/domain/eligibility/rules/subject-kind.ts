import { listKinds } from '../../identity/kinds-of.ts'
import type { Rule } from '../rule.ts'

/** What is asked of a subject depends on its kind, so nobody chooses the kind that is asked least. */
export const subjectKindRule: Rule = {
  code: 'subject-kind',
  fromSeed: false,
  demand: () =>
    'The subject is of a kind that the suite measures: agents on exercises, libraries on browser suites. A control is never ranked.',
  check: ({ facts, context: { subjectKinds: taken, policy } }) => {
    // One that says so itself is refused by its mode.
    const controls = facts.filter(
      ({ subject, mode }) => subject.kind === 'control' && policy.claimModes.includes(mode),
    )
    if (controls.length > 0)
      return {
        reason: `${controls.length} of ${facts.length} episodes are of a control: it tests the harness, and what is asked of an agent is not asked of it.`,
        remedy: 'Run it as an agent, with everything that is asked of one.',
      }
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
