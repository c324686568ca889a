import { listKinds } from '../../identity/kinds-of.ts'
import type { Rule } from '../rule.ts'

/** The rules depend on the kind of entry, so the kind must be one that the suite measures. */
export const subjectKindRule: Rule = {
  code: 'subject-kind',
  fromSeed: false,
  demand: () =>
    'The suite measures this kind of entry: agents on exercises, libraries on browser suites. Controls are never ranked.',
  check: ({ facts, context: { subjectKinds: taken, policy } }) => {
    // Declared controls are refused by the mode rule.
    const controls = facts.filter(
      ({ subject, mode }) => subject.kind === 'control' && policy.claimModes.includes(mode),
    )
    if (controls.length > 0)
      return {
        reason: `${controls.length} of ${facts.length} episodes belong to a control, which tests the harness and is not held to the rules for agents.`,
        remedy: 'Run it as an agent, under the rules for agents.',
      }
    if (taken === undefined) return null
    const other = facts.filter(({ subject }) => !taken.includes(subject.kind))
    const [first] = other
    if (!first) return null
    return {
      reason: `${other.length} of ${facts.length} episodes have kind ${first.subject.kind}, but this suite measures only ${listKinds(taken)}.`,
      remedy: `Run it as ${taken[0]}, under the rules for that kind.`,
    }
  },
}
