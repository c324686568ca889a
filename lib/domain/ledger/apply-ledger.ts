import {
  type EpisodeFact,
  type OutcomeStatus,
  regradedFact,
  type Verdict,
} from '../record/index.ts'
import type { LedgerAction, LedgerEntry } from './ledger-entry.ts'

/** A correction in force, as published. */
export type Correction = Pick<LedgerEntry, 'sequence' | 'at' | 'reason'>

type Rescore = Correction & { status: OutcomeStatus; verdict: Verdict | null }

/** The state of the ledger: the latest entry about each target applies. */
export type LedgerState = {
  /** Runs that do not count, by run id. */
  removed: ReadonlyMap<string, Correction>
  /** Invalidated runs, rows and episodes, by their id. */
  invalidated: ReadonlyMap<string, Correction>
  /** Episodes with a corrected ending, by episode id. */
  rescored: ReadonlyMap<string, Rescore>
  /** Episodes whose tamper findings were resolved, by episode id. */
  resolvedFindings: ReadonlyMap<string, Correction>
  /** Rows whose own library was accepted by a reviewer, by row id. */
  acceptedLibraries: ReadonlyMap<string, Correction>
}

/**
 * Returns the state after all entries, which must be in order. `before` = the state after all earlier ones; returned
 * itself if the new entries correct nothing.
 */
export function applyLedger(entries: readonly LedgerEntry[], before?: LedgerState): LedgerState {
  const corrections = entries.filter(({ action }) => corrects(action, before))
  if (before && corrections.length === 0) return before
  const state: Draft = {
    removed: new Map(before?.removed),
    invalidated: new Map(before?.invalidated),
    rescored: new Map(before?.rescored),
    resolvedFindings: new Map(before?.resolvedFindings),
    acceptedLibraries: new Map(before?.acceptedLibraries),
  }
  for (const entry of entries) applyEntry(state, entry)
  return state
}

/** Most entries include a run, which corrects something only if it was removed before. */
function corrects({ kind, target }: LedgerAction, before: LedgerState | undefined): boolean {
  if (kind === 'include') return before?.removed.has(target) ?? false
  return kind !== 'seal-run' && kind !== 'task-version' && kind !== 'register'
}

type Draft = {
  removed: Map<string, Correction>
  invalidated: Map<string, Correction>
  rescored: Map<string, Rescore>
  resolvedFindings: Map<string, Correction>
  acceptedLibraries: Map<string, Correction>
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
      state.resolvedFindings.set(target, correction)
      break
    case 'accept-library':
      state.acceptedLibraries.set(target, correction)
      break
    case 'rescore':
      state.rescored.set(target, { ...correction, status: action.to, verdict: action.verdict })
      break
    case 'seal-run':
    case 'task-version':
    case 'register':
      break // Recorded only; they correct nothing.
  }
}

/** The state without corrections. */
export const EMPTY_LEDGER: LedgerState = applyLedger([])

/** Corrects the status that an episode was sealed with. */
export function correctedStatus(
  { episodeId, status }: Pick<EpisodeFact, 'episodeId' | 'status'>,
  { invalidated, rescored }: LedgerState,
): OutcomeStatus {
  return invalidated.has(episodeId) ? 'void' : (rescored.get(episodeId)?.status ?? status)
}

/**
 * Applies the ledger's corrections to facts: episodes of removed runs are dropped, invalidated episodes are void,
 * rescored ones have their new ending. The envelopes stay as they were sealed.
 */
export function correctFacts(
  facts: readonly EpisodeFact[],
  ledger: LedgerState,
): readonly EpisodeFact[] {
  const { removed, invalidated, rescored } = ledger
  if (removed.size + invalidated.size + rescored.size === 0) return facts
  return facts.flatMap((fact) => {
    if (removed.has(fact.runId)) return []
    if (invalidated.has(fact.episodeId)) return { ...fact, status: 'void', verdict: null }
    const rescore = rescored.get(fact.episodeId)
    return rescore ? rescoredFact(fact, rescore) : fact
  })
}

function rescoredFact(
  fact: EpisodeFact,
  { status, verdict }: Pick<EpisodeFact, 'status' | 'verdict'>,
): EpisodeFact {
  const { grading } = fact
  const regraded = grading && { grading: regradedFact(grading, verdict === 'pass') }
  return { ...fact, status, verdict, ...regraded }
}
