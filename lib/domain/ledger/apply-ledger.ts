import type { Verdict } from '../contract.ts'
import type { OutcomeStatus } from '../outcome.ts'
import type { LedgerEntry } from './ledger-entry.ts'

/** A correction in force, as the public reads it. */
export type Correction = Pick<LedgerEntry, 'sequence' | 'at' | 'reason'>

type Rescore = Correction & { status: OutcomeStatus; verdict: Verdict | null }

/** What the ledger says today: the last word on every target. */
export type LedgerState = {
  /** Runs that do not count, by run id. */
  removed: ReadonlyMap<string, Correction>
  /** Runs, rows and episodes that are no longer vouched for, by their id. */
  invalidated: ReadonlyMap<string, Correction>
  /** Episodes with a corrected ending, by episode id. */
  rescored: ReadonlyMap<string, Rescore>
  /** Episodes whose tamper findings were resolved. */
  resolvedFindings: ReadonlySet<string>
}

/** The state after all entries, which have to be in their order. Pure. */
export function applyLedger(entries: readonly LedgerEntry[]): LedgerState {
  const state: Draft = {
    removed: new Map(),
    invalidated: new Map(),
    rescored: new Map(),
    resolvedFindings: new Set(),
  }
  for (const entry of entries) applyEntry(state, entry)
  return state
}

type Draft = {
  removed: Map<string, Correction>
  invalidated: Map<string, Correction>
  rescored: Map<string, Rescore>
  resolvedFindings: Set<string>
}

function applyEntry(state: Draft, { sequence, at, reason, action }: LedgerEntry): void {
  const correction = { sequence, at, reason }
  const { target } = action
  switch (action.kind) {
    case 'include':
      state.removed.delete(target)
      break
    case 'remove':
      state.removed.set(target, correction)
      break
    case 'invalidate':
      state.invalidated.set(target, correction)
      break
    case 'reinstate':
      state.invalidated.delete(target)
      break
    case 'resolve-findings':
      state.resolvedFindings.add(target)
      break
    case 'rescore':
      state.rescored.set(target, { ...correction, status: action.to, verdict: action.verdict })
      break
    case 'seal-run':
    case 'task-version':
    case 'register':
      break // these record and correct nothing
  }
}

/** What holds where nothing was ever corrected. */
export const EMPTY_LEDGER: LedgerState = applyLedger([])
