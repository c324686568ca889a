import { type Answer, answered, refused } from './answer.ts'
import { binomialCumulative, binomialProbability } from './binomial.ts'

/** Two-sided p-values of equal success, from the tasks that only one of two rows solved. */
export type McNemarResult = { exactP: number; midP: number }

/**
 * Exact McNemar test: of `aOnly + bOnly` discordant tasks each falls to either side with chance 1/2. Doubled lower
 * tail, at most 1; mid-p takes half of the observed point. No discordant task: p = 1. The same number as a sign-flip
 * test of one repetition a task. Refuses counts that are no counts.
 */
export function exactMcNemar(aOnly: number, bOnly: number): Answer<McNemarResult> {
  if (Number.isNaN(aOnly) || Number.isNaN(bOnly))
    return refused('not-a-number', 'A count is not a number.')
  if (![aOnly, bOnly].every((count) => Number.isSafeInteger(count) && count >= 0)) {
    return refused('count-out-of-range', 'A count is negative or not whole.')
  }
  const discordant = aOnly + bOnly
  if (discordant === 0) return answered({ exactP: 1, midP: 1 })
  const least = Math.min(aOnly, bOnly)
  const tail = binomialCumulative(least, discordant, 0.5)
  const exactP = aOnly === bOnly ? 1 : Math.min(1, 2 * tail)
  const midP = aOnly === bOnly ? 1 : 2 * tail - binomialProbability(least, discordant, 0.5)
  return answered({ exactP, midP })
}
