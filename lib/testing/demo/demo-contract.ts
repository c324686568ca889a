import type { Assertion, ContractResult, Verdict } from '#lib/domain/contract.ts'
import type { Digest } from '#lib/domain/digest.ts'
import { RELEASED_PROGRAMS } from '#lib/domain/eligibility/released-programs.ts'
import type { Verifier } from '#lib/domain/environment.ts'
import type { Outcome } from '#lib/domain/outcome.ts'
import { sampleTests } from '../sample-episode.ts'

/** Where made-up solutions were graded, as the made-up envelopes say. */
export const DEMO_VERIFIER: Verifier = {
  sandbox: 'bubblewrap',
  network: 'none',
  // Another one would keep every made-up row from being a claim.
  digest: [...RELEASED_PROGRAMS.verifiers].at(-1) as Digest,
}

type Made = {
  isSolved: boolean
  hasHeldOut: boolean
  /** An unsolved one fails at its visible tests, or at the held-out transcript alone. */
  failsHeldOut: boolean
}

/** A made-up contract, with the outcome it leads to. */
export function demoContract(made: Made): { contract: ContractResult; outcome: Outcome } {
  const { isSolved, hasHeldOut } = made
  const passesVisible = isSolved || (hasHeldOut && made.failsHeldOut)
  const contract: ContractResult = {
    verdict: verdictOf(isSolved),
    assertions: [
      assertion('types', "compiles with the exercise's own settings", verdictOf(true)),
      testsAssertion(passesVisible),
      ...(hasHeldOut ? [heldOut(isSolved, passesVisible)] : []),
    ],
    ...{ expectedTests: 8, executedTests: 8, passedTests: passesVisible ? 8 : SOME_PASS },
  }
  if (isSolved) return { contract, outcome: { status: 'solved' } }
  const reason = passesVisible
    ? `${HELD_OUT}: first difference, seed 7f: simulated`
    : '2 of 8 tests failed'
  return { contract, outcome: { status: 'unsolved', reason } }
}

const SOME_PASS = 6

/** The tests of the shape that all made-up tasks share. */
function testsAssertion(isPassed: boolean): Assertion {
  const children = sampleTests('alpha').map((name, index) =>
    assertion('test', name, verdictOf(isPassed || index < SOME_PASS)),
  )
  return { ...assertion('tests', 'every official test passes', verdictOf(isPassed)), children }
}

const HELD_OUT = 'behaves as the reference on held-out inputs'

function heldOut(isSolved: boolean, isCompared: boolean): Assertion {
  const observed = isSolved ? 'the same transcript' : 'another transcript'
  const difference = assertion('observation', 'first difference, seed 7f', 'fail', {
    expected: 'simulated: 3',
    observed: 'simulated: 2',
  })
  return {
    ...assertion('held-out', HELD_OUT, verdictOf(isSolved), {
      expected: '120 observations, seeds 3c and 7f',
      observed: isCompared ? observed : 'not compared: see above',
    }),
    children: isSolved || !isCompared ? [] : [difference],
  }
}

function assertion(
  kind: string,
  label: string,
  verdict: Verdict,
  sides = { expected: 'simulated', observed: 'simulated' },
): Assertion {
  return { kind, label, ...sides, verdict, children: [] }
}

const verdictOf = (isPassed: boolean): Verdict => (isPassed ? 'pass' : 'fail')
