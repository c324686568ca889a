import { countOf } from '../list-names.ts'
import type { Rule } from '../rule.ts'

/** New results cannot use an older policy; results received under it keep it. */
export const policyVersionRule: Rule = {
  code: 'policy-version',
  fromSeed: false,
  demand: ({ version }) =>
    `The plan was frozen under the policy version that was current when its results were received (current version: ${version}).`,
  check: ({ facts, context: { plans, policy } }) => {
    const other = facts.filter(({ planDigest, receivedUnder = policy.version }) => {
      const plan = plans.get(planDigest)
      return plan !== undefined && receivedUnder !== null && plan.policyVersion !== receivedUnder
    })
    const [first] = other
    if (!first) return null
    const { policyVersion = 0 } = plans.get(first.planDigest) ?? {}
    const { receivedUnder = policy.version } = first
    // A plan made for a future policy must not become valid when that policy is released.
    if (policyVersion > (receivedUnder ?? 0))
      return {
        reason: `${countOf(other.length, 'episode')} of ${facts.length} were received under policy ${receivedUnder}, but the plan was frozen under policy ${policyVersion}, which was unknown to this server.`,
        remedy: 'Update this server, create a new plan and run it.',
      }
    return {
      reason: `${countOf(other.length, 'episode')} of ${facts.length} were received under a newer policy than the plan’s (policy ${policyVersion}).`,
      remedy: 'Create a new plan with this version and run it.',
    }
  },
}
