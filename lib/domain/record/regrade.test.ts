import { expect, it } from 'vitest'
import { agrees, outcomeWithVerdict } from './regrade.ts'

const pass = { verdict: 'pass', findings: 0 } as const
const fail = { verdict: 'fail', findings: 0 } as const

it('replaces what the contract said and nothing that was known before it', () => {
  const after = (
    status: Parameters<typeof outcomeWithVerdict>[0]['status'],
    found: typeof pass | typeof fail,
  ) => outcomeWithVerdict({ status, verdict: 'fail' }, found).status
  expect(after('solved', fail)).toBe('unsolved')
  expect(after('solved', pass)).toBe('solved')
  expect(after('unsolved', pass)).toBe('solved')
  expect(after('subject-crashed', pass)).toBe('solved')
  expect(after('subject-crashed', fail)).toBe('subject-crashed')
  for (const status of ['void', 'cancelled', 'tampered', 'out-of-budget'] as const)
    expect([after(status, pass), after(status, fail)]).toEqual([status, status])
})

it('a finding counts more than a pass', () => {
  const before = { status: 'solved', verdict: 'pass' } as const
  expect(outcomeWithVerdict(before, { verdict: 'pass', findings: 1 }).status).toBe('tampered')
})

it('agrees only when both are the same', () => {
  const solved = { status: 'solved', verdict: 'pass' } as const
  expect(agrees(solved, { ...solved })).toBe(true)
  expect(agrees(solved, { status: 'unsolved', verdict: 'fail' })).toBe(false)
  expect(agrees({ status: 'void', verdict: 'pass' }, { status: 'void', verdict: 'fail' })).toBe(
    false,
  )
})
