import { refuseStatistic, type StatisticResult, statisticValue } from './statistic-result.ts'

/**
 * Returns Holm's adjusted p-values (1979) in the order of the input. Rejecting those at or below alpha limits the
 * probability of even one false rejection to alpha, whichever hypotheses are true (strong family-wise error) and
 * however the tests depend on each other. Refuses a p outside 0–1.
 */
export function holm(p: readonly number[]): StatisticResult<number[]> {
  if (p.some((value) => !(value >= 0 && value <= 1))) {
    return refuseStatistic('not-a-number', 'A p-value is not between 0 and 1.')
  }
  const order = Uint32Array.from(p.keys()).sort((a, b) => (p[a] as number) - (p[b] as number))
  const adjusted = new Array<number>(p.length).fill(1)
  let max = 0
  order.forEach((index, position) => {
    max = Math.max(max, Math.min(1, (p[index] as number) * (p.length - position)))
    adjusted[index] = max
  })
  return statisticValue(adjusted)
}

/**
 * Returns Benjamini and Hochberg's adjusted p-values in the order of the input. Rejecting those at or below alpha keeps
 * the expected share of false rejections at most alpha. Refuses a p outside 0–1.
 */
export function benjaminiHochberg(p: readonly number[]): StatisticResult<number[]> {
  if (p.some((value) => !(value >= 0 && value <= 1))) {
    return refuseStatistic('not-a-number', 'A p-value is not between 0 and 1.')
  }
  const order = Uint32Array.from(p.keys()).sort((a, b) => (p[b] as number) - (p[a] as number))
  const adjusted = new Array<number>(p.length).fill(1)
  let min = 1
  order.forEach((index, position) => {
    const rank = p.length - position
    min = Math.min(min, ((p[index] as number) * p.length) / rank)
    adjusted[index] = min
  })
  return statisticValue(adjusted)
}
