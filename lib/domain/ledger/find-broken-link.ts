import { chainEntry, type LedgerEntry } from './ledger-entry.ts'

/** Where a chain breaks, counted from 1, and what is wrong there in one sentence. */
export type BrokenLink = { place: number; problem: string }

/**
 * The first entry that was changed, removed, moved or slipped in; null = the whole chain holds. Entries cut off at the
 * end leave a whole chain: compare the last hash with one that was noted elsewhere.
 */
export function findBrokenLink(entries: readonly LedgerEntry[]): BrokenLink | null {
  let previous: LedgerEntry | null = null
  for (const [index, entry] of entries.entries()) {
    const expected = chainEntry(previous, entry, { now: entry.at })
    const problem = findProblem(entry, expected)
    if (problem) return { place: index + 1, problem }
    previous = entry
  }
  return null
}

function findProblem(entry: LedgerEntry, expected: LedgerEntry): string | null {
  if (entry.sequence !== expected.sequence)
    return `entry ${expected.sequence} is missing: ${entry.sequence} stands in its place`
  if (entry.previousHash !== expected.previousHash)
    return `entry ${entry.sequence} does not follow the entry before it`
  if (entry.hash !== expected.hash)
    return `entry ${entry.sequence} was changed after it was written`
  return null
}
