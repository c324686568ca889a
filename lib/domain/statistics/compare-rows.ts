import type { StatisticRefusal } from './answer.ts'
import { benjaminiHochberg } from './benjamini-hochberg.ts'
import { COMPARISON_ALPHA, type PairedDifference, preparePair } from './paired-difference.ts'
import type { TaskTally } from './task-tally.ts'

/** Two of the rows compared; `adjustedP` takes all pairs shown into account. */
export type ComparedPair = {
  a: string
  b: string
  result:
    | { ok: true; value: PairedDifference; adjustedP: number }
    | { ok: false; refusal: StatisticRefusal }
}

/** One row's part: a name of its own and its counts. */
export type RowTallies = { key: string; tallies: readonly TaskTally[] }

/** All pairs of some rows. `pairAlpha` is the level at which each single pair is judged and its interval made. */
export type RowComparison = {
  pairs: ComparedPair[]
  alpha: number
  pairAlpha: number
  tested: number
}

/**
 * Compares every pair of rows under one false discovery rate (Benjamini–Hochberg). With R of m pairs rejected, each pair
 * is judged at R·alpha/m (at least alpha/m) and its interval made at that level (Benjamini and Yekutieli 2005), so that
 * verdict, interval and adjusted p agree. Rows are taken in the order of their keys.
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
  const p = prepared.flatMap((pair) => (pair.ok ? [pair.value(alpha).p] : []))
  const adjusted = benjaminiHochberg(p)
  const values = adjusted.ok ? [...adjusted.value] : []
  const rejected = values.filter((value) => value <= alpha).length
  const pairAlpha = p.length === 0 ? alpha : (Math.max(1, rejected) * alpha) / p.length
  const compared = pairs.map(({ a, b }, index) => {
    const pair = prepared[index] as (typeof prepared)[number]
    const result = pair.ok
      ? { ok: true as const, value: pair.value(pairAlpha), adjustedP: values.shift() ?? 1 }
      : pair
    return { a: a.key, b: b.key, result }
  })
  return { pairs: compared, alpha, pairAlpha, tested: p.length }
}
