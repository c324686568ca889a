import type { Verdict } from '#lib/domain/contract.ts'

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
