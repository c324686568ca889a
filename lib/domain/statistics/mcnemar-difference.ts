import type { TestAt } from './difference-test.ts'
import { exactMcNemar } from './exact-mcnemar.ts'
import type { TaskPair } from './pair-tasks.ts'
import { clopperPearsonInterval, type Interval } from './proportion-interval.ts'

/** How the test was made, in words; numbers may be letters where no rows are meant. */
export function mcNemarMethod(discordant: number | string, tasks: number | string): string {
  return `exact McNemar on ${discordant} discordant of ${tasks} tasks`
}

/**
 * Exact McNemar test of one repetition per task, with its interval. Clopper and Pearson's interval for A's share of the
 * discordant tasks inverts that test; it is scaled by the bound of the discordant share that is farther from (for a
 * bound beyond zero: nearer to) no difference, so that few discordant tasks do not look like certainty.
 */
export function mcNemarDifference(pairs: readonly TaskPair[]): TestAt {
  const aOnly = pairs.filter(({ a, b }) => a.solved > b.solved).length
  const bOnly = pairs.filter(({ a, b }) => b.solved > a.solved).length
  const discordant = aOnly + bOnly
  const tested = exactMcNemar(aOnly, bOnly)
  const facts = {
    difference: (aOnly - bOnly) / pairs.length,
    p: tested.ok ? tested.value.exactP : 1,
    method: mcNemarMethod(discordant, pairs.length),
    seed: null,
  }
  return (alpha) => {
    const share = bounds(discordant, pairs.length, alpha)
    const split = discordant === 0 ? { low: 0, high: 1 } : bounds(aOnly, discordant, alpha)
    return {
      ...facts,
      low: scale(2 * split.low - 1, share.high, share.low),
      high: scale(2 * split.high - 1, share.low, share.high),
    }
  }
}

function scale(lean: number, whenNegative: number, whenPositive: number): number {
  return lean < 0 ? lean * whenNegative : lean * whenPositive
}

function bounds(count: number, of: number, alpha: number): Interval {
  const interval = clopperPearsonInterval(count, of, 1 - alpha)
  return interval.ok ? interval.value : { low: 0, high: 1 }
}
