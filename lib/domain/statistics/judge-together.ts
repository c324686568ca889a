import { holm } from './adjusted-p-values.ts'
import type { Interval, PreparedTest } from './intervals.ts'
import type { StatisticRefusal, StatisticResult } from './statistic-result.ts'

/** The difference over tasks like these, -1 … 1; `isDecided`: it excludes 0 after the correction for all pairs. */
export type SimilarTasks = Interval & { alpha: number; isDecided: boolean }

/** One of several tests judged together: its value at the common level, and its p corrected for all of them. */
export type JudgedTest<Value> =
  | { ok: true; value: Value; adjustedP: number; similar: SimilarTasks }
  | { ok: false; refusal: StatisticRefusal }

/** Applies Holm to prepared tests, each with its correction for interim analyses; see `compareRows`. */
export function judgeTogether<Value extends { difference: number }>(
  prepared: readonly StatisticResult<PreparedTest<Value>>[],
  prices: readonly number[],
  alpha: number,
): { results: JudgedTest<Value>[]; pairAlpha: number; tested: number } {
  const tests = prepared.flatMap((test, index) =>
    test.ok ? [{ ...test.value, price: prices[index] as number }] : [],
  )
  const adjusted = holm(tests.map(({ p, price }) => Math.min(1, p * price)))
  const values = adjusted.ok ? [...adjusted.value] : []
  const rejected = values.filter((value) => value <= alpha).length
  const pairAlpha = levelAfter(tests.length, rejected, alpha)
  const similar = judgeSimilar(tests, alpha)
  const results = prepared.map((test, index): JudgedTest<Value> => {
    if (!test.ok) return test
    const value = test.value.at(pairAlpha / (prices[index] as number))
    const adjustedP = values.shift() ?? 1
    const own = similar.shift() as SimilarTasks
    const isDecided = own.isDecided && adjustedP <= alpha && own.low > 0 === value.difference > 0
    return { ok: true, value, adjustedP, similar: { ...own, isDecided } }
  })
  return { results, pairAlpha, tested: tests.length }
}

/** The level of the last of this many rejections by Holm. */
function levelAfter(tests: number, rejected: number, alpha: number): number {
  return alpha / Math.max(1, tests - Math.max(1, rejected) + 1)
}

/**
 * Applies Holm to the intervals for tasks like these, separately from the tests, whose errors on these tasks do not
 * bound errors on similar ones. Intervals of lower levels contain those of higher ones, so the rejections are counted
 * up from none.
 */
function judgeSimilar(
  tests: readonly { similarAt: PreparedTest['similarAt']; price: number }[],
  alpha: number,
): SimilarTasks[] {
  const at = (level: number) =>
    tests.map(({ similarAt, price }): SimilarTasks => {
      const interval = similarAt(level / price)
      return { ...interval, alpha: level / price, isDecided: interval.low > 0 || interval.high < 0 }
    })
  let [rejected, found] = [0, at(levelAfter(tests.length, 0, alpha))]
  for (;;) {
    const more = found.filter(({ isDecided }) => isDecided).length
    if (more <= rejected) return found
    rejected = more
    const next = at(alpha / Math.max(1, tests.length - rejected))
    if (next.filter(({ isDecided }) => isDecided).length <= rejected)
      return at(levelAfter(tests.length, rejected, alpha))
    found = next
  }
}
