import { countOf } from '../list-names.ts'
import type { Rule } from '../rule.ts'

/** Nobody chooses an older policy for results of today; what came in under it stays. */
export const policyVersionRule: Rule = {
  code: 'policy-version',
  fromSeed: false,
  demand: ({ version }) =>
    `The plan was frozen under the policy that was in force when its results came in (today: ${version}).`,
  check: ({ facts, context: { plans, policy } }) => {
    const late = facts.filter(({ planDigest, receivedUnder = policy.version }) => {
      const plan = plans.get(planDigest)
      return plan !== undefined && receivedUnder !== null && plan.policyVersion < receivedUnder
    })
    const [first] = late
    if (!first) return null
    const { policyVersion } = plans.get(first.planDigest) ?? { policyVersion: null }
    return {
      reason: `${countOf(late.length, 'episode')} of ${facts.length} came in under a newer policy than policy ${policyVersion}, under which the plan was frozen.`,
      remedy: 'Plan again with this version and run the new plan.',
    }
  },
}
