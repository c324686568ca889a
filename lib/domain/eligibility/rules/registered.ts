import { countOf } from '../list-names.ts'
import type { Rule } from '../rule.ts'

/** Nobody could choose among finished runs: the plan was known here before its first episode, and all its runs came in. */
export const registeredRule: Rule = {
  code: 'registered',
  fromSeed: false,
  demand: ({ clockToleranceMs }) =>
    `The plan was registered here before its first episode started (clocks may differ by ${clockToleranceMs / 1000} s), by the sender of its results, and every registered run is in.`,
  check: ({ context: { registration } }) => {
    if (!registration || registration.status === 'registered') return null
    const { runs, unregistered, late, owed, received, blind } = registration
    if (unregistered > 0)
      return {
        reason: `Unregistered: ${unregistered} of ${countOf(runs, 'run')} came in without a plan that the same sender had registered before.`,
        remedy:
          'Register a plan with proofboard plan --register, then run it and submit every run. Runs made here are registered automatically.',
      }
    if (late > 0)
      return {
        reason: `Registered after its episodes: ${late} of ${countOf(runs, 'run')} had already started when the plan was registered.`,
        remedy:
          'Register the plan before its first episode starts, and set the clock of the machine.',
      }
    if (received < owed)
      return {
        reason: `${received} of ${owed} registered runs are in.`,
        remedy:
          'Submit the missing runs, or ask an administrator to remove them from the ledger with a public reason.',
      }
    return {
      reason: `The sender registered ${countOf(blind, 'other plan')} by digest alone before this one came in, and nothing of ${blind === 1 ? 'it' : 'them'} came in.`,
      remedy: 'Submit the results of those plans too, or register plans with their content.',
    }
  },
}
