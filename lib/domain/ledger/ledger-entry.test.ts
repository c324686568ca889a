import { expect, it } from 'vitest'
import { chainEntry, findBrokenLink, type LedgerEntry } from './ledger-entry.ts'

function ledger(): LedgerEntry[] {
  const entries: LedgerEntry[] = []
  for (const target of ['run_a', 'run_b', 'run_c']) {
    const draft = { kind: 'include', target, digest: null, reason: 'because' } as const
    entries.push(chainEntry(entries.at(-1) ?? null, draft, { now: '2026-01-01T00:00:00.000Z' }))
  }
  return entries
}

it('a chain holds as it was written', () => {
  expect(findBrokenLink(ledger())).toBeNull()
  expect(findBrokenLink([])).toBeNull()
})

it.each([
  [
    'changed',
    (e: LedgerEntry[]) => e.map((one) => (one.sequence === 2 ? { ...one, reason: 'no' } : one)),
    2,
  ],
  ['removed', (e: LedgerEntry[]) => e.filter(({ sequence }) => sequence !== 2), 3],
  ['swapped', (e: LedgerEntry[]) => [e[1]!, e[0]!, e[2]!], 2],
] as const)('finds an entry that was %s', (_, tamper, sequence) => {
  expect(findBrokenLink(tamper(ledger()))).toBe(sequence)
})
