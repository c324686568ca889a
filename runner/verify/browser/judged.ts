import type { Verdict } from '#lib/domain/record/index.ts'
import type { AssertionSpec } from '#lib/domain/tasks/index.ts'
import { countOf } from '#lib/domain/text/index.ts'

/** Expectation, observation and verdict of one assertion; both texts are for people. */
export type JudgedAssertion = { expected: string; observed: string; verdict: Verdict }

/** The specification of one kind of assertion. */
export type SpecOf<Kind extends AssertionSpec['kind']> = Extract<AssertionSpec, { kind: Kind }>

/** Decides an observed assertion. */
export function decide(expected: string, observed: string, holds: boolean): JudgedAssertion {
  return { expected, observed, verdict: holds ? 'pass' : 'fail' }
}

/** Returns an inconclusive assertion for unreadable state; `why` is the reason. */
export function undecided(expected: string, why: string): JudgedAssertion {
  return { expected, observed: why, verdict: 'inconclusive' }
}

/** Combines by Kleene's strong logic: unknown stays unknown unless the rest decides alone. */
export function allOf(verdicts: readonly Verdict[]): Verdict {
  if (verdicts.includes('fail')) return 'fail'
  return verdicts.includes('inconclusive') ? 'inconclusive' : 'pass'
}

export function anyOf(verdicts: readonly Verdict[]): Verdict {
  if (verdicts.includes('pass')) return 'pass'
  return verdicts.includes('inconclusive') ? 'inconclusive' : 'fail'
}

const OPPOSITE = { pass: 'fail', fail: 'pass', inconclusive: 'inconclusive' } as const

/** Negates; inconclusive stays inconclusive. */
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

/** Cuts an external text to at most `limit` UTF-16 units, with the number of removed ones. */
export function cutCounted(text: string, limit: number): string {
  if (text.length <= limit) return text
  const mark = ` … (${countOf(text.length, 'character')})`
  const kept = text.slice(0, Math.max(0, limit - mark.length))
  // Half a surrogate pair is not a character.
  return `${/[\uD800-\uDBFF]$/.test(kept) ? kept.slice(0, -1) : kept}${mark}`
}

/** Formats a value as short JSON. */
export function showValue(value: unknown): string {
  return cutCounted(JSON.stringify(value) ?? 'nothing', VALUE_CHARS)
}

/** Formats the first few of many values, and the number of the others. */
export function showValues(values: readonly unknown[]): string {
  const shown = values.slice(0, SHOWN).map(showValue).join(', ')
  return values.length > SHOWN ? `${shown} and ${values.length - SHOWN} more` : shown
}
