import type { AssertionSpec } from '#lib/domain/browser/contract-spec.ts'
import type { Verdict } from '#lib/domain/contract.ts'

/** What one assertion wanted, what was there, and what follows; both texts are for a person to read. */
export type Judged = { expected: string; observed: string; verdict: Verdict }

/** The specification of one kind of assertion. */
export type SpecOf<Kind extends AssertionSpec['kind']> = Extract<AssertionSpec, { kind: Kind }>

/** Seen and decided. */
export function decide(expected: string, observed: string, holds: boolean): Judged {
  return { expected, observed, verdict: holds ? 'pass' : 'fail' }
}

/** Nobody could look; `why` says so. */
export function undecided(expected: string, why: string): Judged {
  return { expected, observed: why, verdict: 'inconclusive' }
}
