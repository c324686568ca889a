import { countOf } from '../list-names.ts'
import type { Rule } from '../rule.ts'

/** Nobody chooses an older policy for results of today; what came in under it stays. */
export const policyVersionRule: Rule = {
  code: 'policy-version',
  fromSeed: false,
  demand: ({ version }) =>
    `The plan was frozen under the policy that was in force when its results came in (today: ${version}).`,
  check: ({ facts, context: { plans, policy } }) => {
    const other = facts.filter(({ planDigest, receivedUnder = policy.version }) => {
      const plan = plans.get(planDigest)
      return plan !== undefined && receivedUnder !== null && plan.policyVersion !== receivedUnder
    })
    const [first] = other
    if (!first) return null
    const { policyVersion = 0 } = plans.get(first.planDigest) ?? {}
    const { receivedUnder = policy.version } = first
    // Else a plan could be of a policy to come, and pass for a plan of it once it is there.
    if (policyVersion > (receivedUnder ?? 0))
      return {
        reason: `${countOf(other.length, 'episode')} of ${facts.length} came in under policy ${receivedUnder}, and the plan was frozen under policy ${policyVersion}, which was not known here.`,
        remedy: 'Update this server, plan again and run the new plan.',
      }
    return {
      reason: `${countOf(other.length, 'episode')} of ${facts.length} came in under a newer policy than policy ${policyVersion}, under which the plan was frozen.`,
      remedy: 'Plan again with this version and run the new plan.',
    }
  },
}
