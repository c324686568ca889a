import { describe, expect, it } from 'vitest'
import type { Assertion, Verdict } from '#lib/domain/record/index.ts'
import { countLeaves, orderAssertions } from './contract-tree.tsx'

const assertion = (label: string, verdict: Verdict, children: Assertion[] = []): Assertion => ({
  kind: 'test',
  label,
  expected: '',
  observed: '',
  verdict,
  children,
})

describe('the contract tree', () => {
  it('puts what failed first and keeps the order of the rest', () => {
    const given = [
      assertion('a', 'pass'),
      assertion('b', 'fail'),
      assertion('c', 'inconclusive'),
      assertion('d', 'fail'),
    ]
    expect(orderAssertions(given).map(({ label }) => label)).toEqual(['b', 'd', 'c', 'a'])
  })

  it('counts leaves through all levels', () => {
    const tree = assertion('all', 'fail', [
      assertion('types', 'pass'),
      assertion('tests', 'fail', [assertion('x', 'pass'), assertion('y', 'fail')]),
    ])
    expect(countLeaves(tree)).toEqual({ all: 3, passed: 2 })
    expect(countLeaves(assertion('leaf', 'inconclusive'))).toEqual({ all: 1, passed: 0 })
  })

  it('takes a group whose parts may fail as one', () => {
    const failed = [assertion('x', 'fail'), assertion('y', 'pass')]
    const either = { ...assertion('either', 'pass', failed), kind: 'any' }
    const denied = { ...assertion('denied', 'fail', failed.slice(1)), kind: 'not' }
    expect(countLeaves(assertion('all', 'fail', [either, denied]))).toEqual({ all: 2, passed: 1 })
  })
})
