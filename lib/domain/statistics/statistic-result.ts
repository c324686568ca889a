/** Why a statistic has no value; `code` is stable, `reason` is one readable sentence. */
export type StatisticRefusal = { code: StatisticRefusalCode; reason: string }

export const STATISTIC_REFUSAL_CODES = [
  'not-a-number',
  'count-out-of-range',
  'no-tasks',
  'no-scored-episodes',
  'no-common-tasks',
  'k-out-of-range',
  'k-exceeds-n',
  'no-success',
  'unknown-cost',
  'out-of-reach',
] as const
export type StatisticRefusalCode = (typeof STATISTIC_REFUSAL_CODES)[number]

/** The result of every statistic: a value without NaN, or a named refusal. Never throws on invalid numbers. */
export type StatisticResult<T> = { ok: true; value: T } | { ok: false; refusal: StatisticRefusal }

/** Wraps a value. */
export function statisticValue<T>(value: T): StatisticResult<T> {
  return { ok: true, value }
}

/** Wraps the reason for a missing value. */
export function refuseStatistic(
  code: StatisticRefusalCode,
  reason: string,
): StatisticResult<never> {
  return { ok: false, refusal: { code, reason } }
}
