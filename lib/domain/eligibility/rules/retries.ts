import type { EpisodeFact } from '../../board/episode-fact.ts'
import { listNames } from '../list-names.ts'
import type { Complaint, Rule } from '../rule.ts'

/** Only a void attempt may be tried again: else a subject could be run until it passes. */
export const retriesRule: Rule = {
  code: 'retries',
  fromSeed: false,
  demand: () =>
    'An attempt is made again only when the one before it was void or cancelled, and at most as often as the plan allows.',
  check: ({ facts, context }) => {
    const slots = context.retriedSlots
    if (slots.length === 0) return tooOften(facts)
    return {
      reason: `A scored attempt was tried again in ${slots.length === 1 ? '1 slot' : `${slots.length} slots`} (tasks: ${listNames(slots.map((slot) => slot.taskId))}).`,
      remedy: 'Run the plan afresh and keep the first scored attempt of each slot.',
    }
  },
}

function tooOften(facts: readonly EpisodeFact[]): Complaint | null {
  const over = facts.filter(
    ({ attempt, settings: { maxAttempts } }) => maxAttempts !== null && attempt > maxAttempts,
  )
  const [first] = over
  if (!first) return null
  return {
    reason: `Task ${first.taskId} counts attempt ${first.attempt} of at most ${first.settings.maxAttempts}${over.length > 1 ? `, and so do ${over.length - 1} more slots` : ''}.`,
    remedy: 'Run the plan afresh, or plan again with as many attempts as are needed.',
  }
}
