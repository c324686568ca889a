import type { Verdict } from '#lib/domain/record/index.ts'
import { countOf } from '#lib/domain/record/index.ts'
import type { AssertionSpec } from '#lib/domain/tasks/index.ts'

/** What one assertion wanted, what was there, and what follows; both texts are for a person to read. */
export type JudgedAssertion = { expected: string; observed: string; verdict: Verdict }

/** The specification of one kind of assertion. */
export type SpecOf<Kind extends AssertionSpec['kind']> = Extract<AssertionSpec, { kind: Kind }>

/** Seen and decided. */
export function decide(expected: string, observed: string, holds: boolean): JudgedAssertion {
  return { expected, observed, verdict: holds ? 'pass' : 'fail' }
}

/** The state could not be read; `why` says so. */
export function undecided(expected: string, why: string): JudgedAssertion {
  return { expected, observed: why, verdict: 'inconclusive' }
}

/** Kleene's strong logic: what is not known stays not known unless the rest decides alone. */
export function allOf(verdicts: readonly Verdict[]): Verdict {
  if (verdicts.includes('fail')) return 'fail'
  return verdicts.includes('inconclusive') ? 'inconclusive' : 'pass'
}

export function anyOf(verdicts: readonly Verdict[]): Verdict {
  if (verdicts.includes('pass')) return 'pass'
  return verdicts.includes('inconclusive') ? 'inconclusive' : 'fail'
}

const OPPOSITE = { pass: 'fail', fail: 'pass', inconclusive: 'inconclusive' } as const

/** What could not be decided is never turned into a decision. */
export function notOf(verdict: Verdict): Verdict {
  return OPPOSITE[verdict]
}

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

const VALUE_CHARS = 300
const SHOWN = 5

/** At most `limit` UTF-16 units of a text from outside; what was cut off is counted. */
export function cutCounted(text: string, limit: number): string {
  if (text.length <= limit) return text
  const mark = ` … (${countOf(text.length, 'character')})`
  const kept = text.slice(0, Math.max(0, limit - mark.length))
  // Half a surrogate pair is not a character.
  return `${/[\uD800-\uDBFF]$/.test(kept) ? kept.slice(0, -1) : kept}${mark}`
}

/** A value as JSON, short enough to be read. */
export function showValue(value: unknown): string {
  return cutCounted(JSON.stringify(value) ?? 'nothing', VALUE_CHARS)
}

/** The first few of many values, and how many more there are. */
export function showValues(values: readonly unknown[]): string {
  const shown = values.slice(0, SHOWN).map(showValue).join(', ')
  return values.length > SHOWN ? `${shown} and ${values.length - SHOWN} more` : shown
}
