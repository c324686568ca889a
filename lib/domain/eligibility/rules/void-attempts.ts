import { isScored } from '../../outcome.ts'
import { countOf } from '../list-names.ts'
import type { Rule } from '../rule.ts'

/** Trying again must not erase what went wrong: else whoever can break an attempt has its failures forgotten. */
export const voidAttemptsRule: Rule = {
  code: 'void-attempts',
  fromSeed: false,
  demand: ({ thresholds }) =>
    `At most ${percent(thresholds.voidShare)} of all attempts are void, counting those that were tried again or topped up.`,
  check: ({ facts, context }) => {
    const replaced = context.replacedVoids.length
    if (replaced === 0) return null // what still counts as void is weighed by \`complete\`
    const voids = replaced + facts.filter(({ status }) => status === 'void').length
    const ended = voids + facts.filter(({ status }) => isScored(status)).length
    const { voidShare } = context.policy.thresholds
    if (voids <= voidShare * ended) return null
    return {
      reason: `${countOf(voids, 'attempt')} of ${ended} (${percent(voids / ended)}) ended void, ${replaced} of them tried again; at most ${percent(voidShare)} may.`,
      remedy: 'Find out from the void attempts what went wrong, and measure again in a new run.',
    }
  },
}

/** `5 %`, with as many decimals as it has, two at most. */
function percent(share: number): string {
  return `${Number((100 * share).toFixed(2))} %`
}
