import { countOf, listNames } from '../list-names.ts'
import type { Rule } from '../rule.ts'

/** Seed: only live and recorded-real measurements can be ranked. */
export const modeRule: Rule = {
  code: 'mode',
  fromSeed: true,
  demand: ({ claimModes }) => `Every counted episode is ${claimModes.join(' or ')}.`,
  check: ({ facts, context }) => {
    const others = facts.filter((fact) => !context.policy.claimModes.includes(fact.mode))
    if (others.length === 0) return null
    const modes = listNames(others.map((fact) => fact.mode))
    const of =
      others.length === facts.length ? `All ${facts.length}` : `${others.length} of ${facts.length}`
    if (others.every((fact) => fact.subject.kind === 'control')) {
      return {
        reason: 'This is a control run; it tests the harness.',
        remedy: 'Controls are never ranked. Run an agent or a library instead.',
      }
    }
    if (others.every((fact) => fact.mode === 'reported')) {
      return {
        reason: `${of} counted ${others.length === 1 ? 'episode was' : 'episodes were'} reported by another program, which does not state the mode of the measurement.`,
        remedy: 'Run the agent or library with Proofboard and upload the results.',
      }
    }
    return {
      reason: `${of} counted ${others.length === 1 ? 'episode is' : 'episodes are'} ${modes}, not live or recorded-real.`,
      remedy: `Rerun ${countOf(others.length, 'episode')} in live or recorded-real mode.`,
    }
  },
}
