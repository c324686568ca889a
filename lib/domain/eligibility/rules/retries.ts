import type { EpisodeFact } from '../../board/episode-fact.ts'
import { listNames } from '../list-names.ts'
import type { Complaint, Rule } from '../rule.ts'

/** Only excluded attempts may be retried; otherwise an agent could be run until it passes. */
export const retriesRule: Rule = {
  code: 'retries',
  fromSeed: false,
  demand: () =>
    'Only excluded or cancelled attempts are retried, and at most as often as the plan allows.',
  check: ({ facts, context }) => {
    const slots = context.retriedSlots
    if (slots.length === 0) return tooOften(facts)
    return {
      reason: `A scored attempt was retried in ${slots.length === 1 ? '1 slot' : `${slots.length} slots`} (tasks: ${listNames(slots.map((slot) => slot.taskId))}).`,
      remedy: 'Run the plan again and keep the first scored attempt of each slot.',
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
    remedy: 'Run the plan again, or create a plan that allows more attempts.',
  }
}
