import { listNames } from '../list-names.ts'
import type { Rule } from '../rule.ts'

/** Only a void attempt may be tried again: else a subject could be run until it passes. */
export const retriesRule: Rule = {
  code: 'retries',
  fromSeed: false,
  demand: () => 'An attempt is made again only when the one before it was void or cancelled.',
  check: ({ context }) => {
    const slots = context.retriedSlots
    if (slots.length === 0) return null
    return {
      reason: `A scored attempt was tried again in ${slots.length === 1 ? '1 slot' : `${slots.length} slots`} (tasks: ${listNames(slots.map((slot) => slot.taskId))}).`,
      remedy: 'Run the plan afresh and keep the first scored attempt of each slot.',
    }
  },
}
