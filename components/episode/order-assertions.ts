import type { Assertion } from '#lib/domain/contract.ts'

const ORDER = { fail: 0, inconclusive: 1, pass: 2 } as const

/** What did not pass first; otherwise the contract's own order. */
export function orderAssertions(assertions: readonly Assertion[]): Assertion[] {
  return [...assertions].sort((a, b) => ORDER[a.verdict] - ORDER[b.verdict])
}

/** Where parts may fail although the whole passes, the whole is what counts. */
const WEIGHED_WHOLE = new Set(['any', 'not'])

/** Leaves below an assertion: how many, and how many of them passed. */
export function countLeaves(assertion: Assertion): { all: number; passed: number } {
  if (assertion.children.length === 0 || WEIGHED_WHOLE.has(assertion.kind)) {
    return { all: 1, passed: assertion.verdict === 'pass' ? 1 : 0 }
  }
  return assertion.children.map(countLeaves).reduce((sum, part) => ({
    all: sum.all + part.all,
    passed: sum.passed + part.passed,
  }))
}
