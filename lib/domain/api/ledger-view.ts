import type { Correction, LedgerEntry, LedgerKind } from '../ledger/index.ts'
import type { OutcomeStatus } from '../record/index.ts'

/** Which entries to show: null and '' = all; pages count from 1. */
export type LedgerFilter = { kind: LedgerKind | null; target: string; page: number }

/** One page of the ledger, newest first. */
export type LedgerView = {
  entries: LedgerEntry[]
  /** Entries that the filter leaves, and entries at all. */
  matching: number
  total: number
  page: number
  pages: number
  /** The last entry; null = the ledger is empty. */
  head: { sequence: number; hash: string } | null
  holds: boolean
  /** Where the chain breaks, in one sentence; null = it is intact. */
  broken: string | null
  /** When the whole chain was compared last; what was added since is compared at each view. */
  checkedAt: string
  /** The place of a row: its suite, the version (null = the current one) and its subject's name, by row id. */
  rows: ReadonlyMap<string, { suiteId: string; version: string | null; subject: string }>
}

/** A correction in force on one run or episode. */
export type CorrectionNote = Correction & { target: string } & (
    | { kind: 'removed' | 'invalidated' }
    | { kind: 'rescored'; status: OutcomeStatus }
  )
