import { countOf } from '../list-names.ts'
import type { Rule } from '../rule.ts'

/** Prevents cherry-picking: the plan is registered before its first episode, and all its runs must be submitted. */
export const registeredRule: Rule = {
  code: 'registered',
  fromSeed: false,
  demand: ({ clockToleranceMs }) =>
    `The sender registered the plan on this server before its first episode started (clocks may differ by ${clockToleranceMs / 1000} s), and every registered run was received.`,
  check: ({ context: { registration } }) => {
    if (!registration || registration.status === 'registered') return null
    const { runs, unregistered, late, owed, received, blind } = registration
    if (unregistered > 0)
      return {
        reason: `Unregistered: ${unregistered} of ${countOf(runs, 'run')} submitted without a plan registered in advance by the same sender.`,
        remedy:
          'Register a plan with proofboard plan --register, then run it and submit every run. Runs on this server are registered automatically.',
      }
    if (late > 0)
      return {
        reason: `Registered too late: ${late} of ${countOf(runs, 'run')} had already started when the plan was registered.`,
        remedy:
          'Register the plan before its first episode starts, and check the clock of the machine.',
      }
    if (received < owed)
      return {
        reason: `${received} of ${owed} registered runs received.`,
        remedy:
          'Submit the missing runs, or ask an administrator to remove them from the ledger with a public reason.',
      }
    return {
      reason: `The sender registered ${countOf(blind, 'other plan')} by digest only before this one, and no results of ${blind === 1 ? 'it' : 'them'} were received.`,
      remedy: 'Submit the results of those plans as well, or register plans with their content.',
    }
  },
}
