import type { SpecOf } from './judged.ts'

export type HowMany = SpecOf<'count'>['count']

export function fitsCount(wanted: HowMany, count: number): boolean {
  if (typeof wanted === 'number') return count === wanted
  return count >= (wanted.least ?? 0) && count <= (wanted.most ?? Number.POSITIVE_INFINITY)
}

/** `exactly 1`, `2 to 4`, `at least 1`. */
export function showHowMany(wanted: HowMany): string {
  if (typeof wanted === 'number') return `exactly ${wanted}`
  const { least, most } = wanted
  if (least !== undefined && most !== undefined) return `${least} to ${most}`
  if (most !== undefined) return `at most ${most}`
  return least === undefined ? 'any number' : `at least ${least}`
}
