import type { StatisticRefusal } from './answer.ts'
import { holm } from './holm.ts'
import { type Looks, lookPrice, pairLooks } from './looks.ts'
import { COMPARISON_ALPHA, type PairedDifference, preparePair } from './paired-difference.ts'
import type { TaskTally } from './task-tally.ts'

/** Two of the rows compared; `adjustedP` takes all pairs shown into account, and all looks at them. */
export type ComparedPair = {
  a: string
  b: string
  result:
    | { ok: true; value: PairedDifference; adjustedP: number }
    | { ok: false; refusal: StatisticRefusal }
}

/** One row's part: a name of its own, its counts, and its looks where it was not measured in one go. */
export type RowTallies = { key: string; tallies: readonly TaskTally[]; looks?: Looks | undefined }

/** All pairs of some rows. `pairAlpha` is the level at which each single pair is judged and its interval made. */
export type RowComparison = {
  pairs: ComparedPair[]
  alpha: number
  pairAlpha: number
  tested: number
}

/**
 * Compares every pair of rows; the chance of even one false "better" or "worse" among them is at most alpha (Holm,
 * family-wise in the strong sense). With R of m pairs rejected the level of the last rejection was alpha / (m - R + 1),
 * alpha / m when there is none: each pair is judged and its interval made at that level, so that verdict, interval and
 * adjusted p agree. A pair that was looked at more than once pays for it in p and level (`lookPrice`). Rows are taken in
 * the order of their keys.
 */
export function compareRows(rows: readonly RowTallies[], alpha = COMPARISON_ALPHA): RowComparison {
  const steps = compareSteps(rows, alpha)
  let step = steps.next()
  while (!step.done) step = steps.next()
  return step.value
}

/** The same in steps, one a pair: a server can attend to others in between. */
export function* compareSteps(
  rows: readonly RowTallies[],
  alpha = COMPARISON_ALPHA,
): Generator<undefined, RowComparison> {
  const sorted = [...rows].sort((x, y) => (x.key < y.key ? -1 : 1))
  const pairs = sorted.flatMap((a, index) => sorted.slice(index + 1).map((b) => ({ a, b })))
  const prepared: ReturnType<typeof preparePair>[] = []
  for (const { a, b } of pairs) {
    prepared.push(preparePair(a.tallies, b.tallies))
    yield
  }
  const prices = pairs.map(({ a, b }) => lookPrice(pairLooks(a.looks, b.looks)))
  const p = prepared.flatMap((pair, index) =>
    pair.ok ? [Math.min(1, pair.value(alpha).p * (prices[index] as number))] : [],
  )
  const adjusted = holm(p)
  const values = adjusted.ok ? [...adjusted.value] : []
  const rejected = values.filter((value) => value <= alpha).length
  const pairAlpha = alpha / Math.max(1, p.length - Math.max(1, rejected) + 1)
  const compared = pairs.map(({ a, b }, index) => {
    const pair = prepared[index] as (typeof prepared)[number]
    const level = pairAlpha / (prices[index] as number)
    const result = pair.ok
      ? { ok: true as const, value: pair.value(level), adjustedP: values.shift() ?? 1 }
      : pair
    return { a: a.key, b: b.key, result }
  })
  return { pairs: compared, alpha, pairAlpha, tested: p.length }
}
