import type { Correction, LedgerEntry, LedgerKind, LedgerState } from '../ledger/index.ts'
import type { OutcomeStatus } from '../record/index.ts'

/** Filter of the ledger page: null and '' = all; pages count from 1. */
export type LedgerFilter = { kind: LedgerKind | null; target: string; page: number }

/** One page of the ledger, newest first. */
export type LedgerView = {
  entries: LedgerEntry[]
  /** Number of entries that match the filter, and of all entries. */
  matching: number
  total: number
  page: number
  pages: number
  /** The last entry; null = the ledger is empty. */
  head: { sequence: number; hash: string } | null
  holds: boolean
  /** The first break of the chain, in one sentence; null = intact. */
  broken: string | null
  /** Time of the last check of the whole chain; entries added since are checked at each view. */
  checkedAt: string
  /** The suite of each row by row id, its version (null = the current one) and its subject's name. */
  rows: ReadonlyMap<string, { suiteId: string; version: string | null; subject: string }>
}

/** The corrections in force on these runs and episodes. */
export function correctionNotes(state: LedgerState, targets: readonly string[]): CorrectionNote[] {
  return targets.flatMap((target) => {
    const removed = state.removed.get(target)
    const invalidated = state.invalidated.get(target)
    const rescored = state.rescored.get(target)
    const notes: CorrectionNote[] = []
    if (removed) notes.push({ kind: 'removed', target, ...removed })
    if (invalidated) notes.push({ kind: 'invalidated', target, ...invalidated })
    if (rescored) notes.push({ kind: 'rescored', target, ...rescored })
    return notes
  })
}

/** A correction in force on one run or episode. */
export type CorrectionNote = Correction & { target: string } & (
    | { kind: 'removed' | 'invalidated' }
    | { kind: 'rescored'; status: OutcomeStatus }
  )
