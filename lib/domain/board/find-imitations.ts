import { findMisuse, IDENTITY_FIELDS, skeleton } from '../eligibility/index.ts'
import type { Subject } from '../record/index.ts'

/** Facts about a row that decide who used a name first; see `RowTraits`. */
type NamedRow = {
  rowId: string
  identity: { subject: Subject }
  isOld: boolean
  sender: string | null
  order: number
}

/**
 * Finds rows whose name could be mistaken for another subject of the board, by row id, each with the reason in one
 * sentence. The first of two look-alike names stays: this server's own run, else the run that the ledger included first.
 * A sender therefore cannot take over a name that is already in use.
 */
export function findImitations(rows: readonly NamedRow[]): Map<string, string> {
  const sorted = [...rows].sort((a, b) => compareKeys(sortKeyOf(a), sortKeyOf(b)))
  const first = new Map<string, string>()
  const found = new Map<string, string>()
  for (const row of sorted) {
    const { subject } = row.identity
    // The definitions of earlier releases are unknown, so older rows are not checked; reported results have no definition.
    const reason = findMisuse(subject, { isOld: row.isOld }) ?? findLookAlike(subject, first)
    if (reason !== null) found.set(row.rowId, reason)
    else for (const { key, value } of spellings(subject)) if (!first.has(key)) first.set(key, value)
  }
  return found
}

function findLookAlike(subject: Subject, first: ReadonlyMap<string, string>): string | null {
  for (const { key, value, label } of spellings(subject)) {
    const known = first.get(key)
    if (known !== undefined && known !== value)
      return `The ${label} ${JSON.stringify(value)} looks like ${JSON.stringify(known)}, which is already on this board.`
  }
  return null
}

type Spelling = { key: string; value: string; label: string }

/** Versions are compared only between subjects of the same name. */
function spellings(subject: Subject): Spelling[] {
  const name = skeleton(subject.name)
  return IDENTITY_FIELDS.flatMap(([field, label]) => {
    const value = subject[field]
    if (value === null) return []
    const isVersion = field === 'version' || field === 'adapterVersion'
    return { key: `${field}\n${isVersion ? name : ''}\n${skeleton(value)}`, value, label }
  })
}

type SortKey = readonly [outside: number, order: number, rowId: string]

function sortKeyOf({ sender, order, rowId }: NamedRow): SortKey {
  return [sender === null ? 0 : 1, order, rowId]
}

function compareKeys(a: SortKey, b: SortKey): number {
  return a[0] - b[0] || a[1] - b[1] || (a[2] < b[2] ? -1 : a[2] > b[2] ? 1 : 0)
}
