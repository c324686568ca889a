import { isScored } from '../../outcome.ts'
import type { EligibilityContext } from '../eligibility-context.ts'
import { countOf } from '../list-names.ts'
import type { Complaint, Rule } from '../rule.ts'

/** Trying again must not erase what went wrong: else whoever can break an attempt has its failures forgotten. */
export const voidAttemptsRule: Rule = {
  code: 'void-attempts',
  fromSeed: false,
  demand: ({ thresholds, voidsPerSlot }) =>
    `At most ${percent(thresholds.voidShare)} of all attempts are void, counting those that were tried again or topped up, ` +
    `and at most ${countOf(voidsPerSlot, 'attempt')} of one slot.`,
  check: ({ facts, context }) => {
    const replaced = context.replacedVoids.length
    if (replaced === 0) return null // what still counts as void is weighed by \`complete\`
    const voids = replaced + facts.filter(({ status }) => status === 'void').length
    const ended = voids + facts.filter(({ status }) => isScored(status)).length
    const { voidShare } = context.policy.thresholds
    if (voids <= voidShare * ended) return slotComplaint(context)
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

/** An agent that can break its attempts must not go on until one pleases it. */
function slotComplaint({ replacedVoids, policy }: EligibilityContext): Complaint | null {
  const slots = new Map<string, number>()
  for (const { runId, taskId, repetition } of replacedVoids) {
    const slot = `${runId}/${taskId}/${repetition}`
    slots.set(slot, (slots.get(slot) ?? 0) + 1)
  }
  const [worst] = [...slots].sort((a, b) => b[1] - a[1])
  if (!worst || worst[1] <= policy.voidsPerSlot) return null
  return {
    reason: `Slot ${worst[0]} was tried again after ${countOf(worst[1], 'void attempt')}; at most ${policy.voidsPerSlot} of one slot may be.`,
    remedy: 'Find out from the void attempts what went wrong, and measure again in a new run.',
  }
}
