import { isScored } from '../../outcome.ts'
import type { EligibilityContext } from '../eligibility-context.ts'
import { countOf } from '../list-names.ts'
import type { Complaint, Rule } from '../rule.ts'

/** Retries must not hide failures: an agent that can break an attempt could otherwise have its failures excluded. */
export const voidAttemptsRule: Rule = {
  code: 'void-attempts',
  fromSeed: false,
  demand: ({ thresholds, voidsPerSlot }) =>
    `At most ${percent(thresholds.voidShare)} of all attempts are excluded from scoring, including those that were retried or replaced, and at most ${countOf(voidsPerSlot, 'attempt')} per slot.`,
  check: ({ facts, context }) => {
    const replaced = context.replacedVoids.length
    if (replaced === 0) return null // attempts that still count as excluded are checked by \`complete\`
    const voids = replaced + facts.filter(({ status }) => status === 'void').length
    const ended = voids + facts.filter(({ status }) => isScored(status)).length
    const { voidShare } = context.policy.thresholds
    if (voids <= voidShare * ended) return slotComplaint(context)
    return {
      reason: `${countOf(voids, 'attempt')} of ${ended} (${percent(voids / ended)}) were excluded from scoring, of which ${replaced} retried; the limit is ${percent(voidShare)}.`,
      remedy: 'Find the cause in the excluded attempts, then measure again in a new run.',
    }
  },
}

/** `5 %`, with as many decimals as it has, two at most. */
function percent(share: number): string {
  return `${Number((100 * share).toFixed(2))} %`
}

/** An agent that can break its attempts must not retry until one succeeds. */
function slotComplaint({ replacedVoids, policy }: EligibilityContext): Complaint | null {
  const slots = new Map<string, number>()
  for (const { runId, taskId, repetition } of replacedVoids) {
    const slot = `${runId}/${taskId}/${repetition}`
    slots.set(slot, (slots.get(slot) ?? 0) + 1)
  }
  const [worst] = [...slots].sort((a, b) => b[1] - a[1])
  if (!worst || worst[1] <= policy.voidsPerSlot) return null
  return {
    reason: `Slot ${worst[0]} was retried after ${countOf(worst[1], 'excluded attempt')}; the limit is ${policy.voidsPerSlot} per slot.`,
    remedy: 'Find the cause in the excluded attempts, then measure again in a new run.',
  }
}
