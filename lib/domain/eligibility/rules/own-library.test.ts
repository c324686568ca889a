import { describe, expect, it } from 'vitest'
import { atLocal, renamed, validCase } from '#lib/testing/cases/eligibility/invalid-case.ts'
import type { BrowserFact, Subject } from '../../record/index.ts'
import { decideEligibility } from '../decide-eligibility.ts'

const PINNED = 'file.1.0123456789ab+ba9876543210'

/** Returns the refusals of a valid row of a library by a user's own file. */
function refusals(
  adapterVersion: string,
  { sandbox, isAccepted }: { sandbox: BrowserFact['sandbox']; isAccepted: boolean },
) {
  const { facts, context } = atLocal(renamed(validCase('library'), 'my-library'))
  const own = <T extends { subject: Subject }>(one: T): T => ({
    ...one,
    subject: { ...one.subject, adapterVersion },
  })
  const changed = facts.map(own).map((fact) => ({
    ...fact,
    provenance: 'local' as const,
    browser: { ...(fact.browser as BrowserFact), ...(sandbox && { sandbox }) },
  }))
  const plans = new Map([...context.plans].map(([digest, plan]) => [digest, own(plan)]))
  const decided = decideEligibility(changed, { ...context, plans, isLibraryAccepted: isAccepted })
  return decided.refusals.map(({ code, remedy }) => `${code}: ${remedy}`)
}

const ENCLOSED = { sandbox: 'bubblewrap', isAccepted: true } as const

describe('a library of one’s own', () => {
  it.each(['', '+01234567', '+prompt.1', '+loop.1+prompt.1'])(
    'is ranked if it is pinned, ran in bubblewrap, and a reviewer accepted it (driven by “%s”)',
    (driver) => expect(refusals(`${PINNED}${driver}`, ENCLOSED)).toEqual([]),
  )

  it.each([
    ['without a digest', 'file.1.0123456789ab', ENCLOSED, /Name its npm package/],
    ['with the digest of its scripts alone', 'file.1.0123456789ab+01234567', ENCLOSED, /Name its/],
    ['without a sandbox', PINNED, { ...ENCLOSED, sandbox: 'none' as const }, /where bubblewrap/],
    [
      'from before sandboxes were recorded',
      PINNED,
      { sandbox: undefined, isAccepted: true },
      /where bubblewrap/,
    ],
    ['without a review', PINNED, { ...ENCLOSED, isAccepted: false }, /ledger add accept-library/],
  ] as const)('is not ranked %s, and the entry says what to do', (_, version, how, remedy) => {
    const found = refusals(version, how)
    expect(found).toHaveLength(1)
    expect(found[0]).toMatch(/^answers-out-of-reach/)
    expect(found[0]).toMatch(remedy)
  })
})
