import { findMisuse, IDENTITY_FIELDS, skeleton } from '../eligibility/index.ts'
import type { Subject } from '../record/index.ts'
import type { RowGroup } from './build-row-groups.ts'

/**
 * Rows whose name could be mistaken for another subject of the board, by row id, each with the reason in one sentence.
 * Of two look-alike spellings the first one is kept: this server's own run, else the run that the ledger included first.
 * So no sender can take a name from those who used it before.
 */
export function findImitations(groups: readonly RowGroup[]): Map<string, string> {
  const sorted = [...groups].sort((a, b) => comparePlaces(placeOf(a), placeOf(b)))
  const first = new Map<string, string>()
  const found = new Map<string, string>()
  for (const group of sorted) {
    const { subject } = group.identity
    const reason = findReservedMisuse(group) ?? findLookAlike(subject, first)
    if (reason !== null) found.set(group.rowId, reason)
    else for (const { key, value } of spellings(subject)) if (!first.has(key)) first.set(key, value)
  }
  return found
}

function findReservedMisuse({ identity, counted }: RowGroup): string | null {
  // The definitions of earlier releases are unknown, so older rows are not checked; reported results have no definition.
  const isOld = counted.every(
    ({ receivedUnder, mode }) => receivedUnder === null || mode === 'reported',
  )
  return findMisuse(identity.subject, { isOld })
}

function findLookAlike(subject: Subject, first: ReadonlyMap<string, string>): string | null {
  for (const { key, value, words } of spellings(subject)) {
    const known = first.get(key)
    if (known !== undefined && known !== value)
      return `The ${words} ${JSON.stringify(value)} looks like ${JSON.stringify(known)}, which is already on this board.`
  }
  return null
}

/** Versions are compared only between subjects of the same name. */
function spellings(subject: Subject): { key: string; value: string; words: string }[] {
  const name = skeleton(subject.name)
  return IDENTITY_FIELDS.flatMap(([field, words]) => {
    const value = subject[field]
    if (value === null) return []
    const isVersion = field === 'version' || field === 'adapterVersion'
    return { key: `${field}\n${isVersion ? name : ''}\n${skeleton(value)}`, value, words }
  })
}

type Place = readonly [outside: number, order: number, rowId: string]

function placeOf({ sender, runs, rowId }: RowGroup): Place {
  const orders = runs.map(({ order }) => order ?? Number.MAX_SAFE_INTEGER)
  return [sender === null ? 0 : 1, Math.min(Number.MAX_SAFE_INTEGER, ...orders), rowId]
}

function comparePlaces(a: Place, b: Place): number {
  return a[0] - b[0] || a[1] - b[1] || (a[2] < b[2] ? -1 : a[2] > b[2] ? 1 : 0)
}
