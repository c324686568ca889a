import {
  type EpisodeFact,
  inParts,
  joinParts,
  type OutcomeStatus,
  regradedFact,
  type Verdict,
} from '../record/index.ts'
import type { LedgerAction, LedgerEntry } from './ledger-entry.ts'

/** A correction in force, as the public reads it. */
export type Correction = Pick<LedgerEntry, 'sequence' | 'at' | 'reason'>

type Rescore = Correction & { status: OutcomeStatus; verdict: Verdict | null }

/** What the ledger says today: the last word on every target. */
export type LedgerState = {
  /** Runs that do not count, by run id. */
  removed: ReadonlyMap<string, Correction>
  /** Invalidated runs, rows and episodes, by their id. */
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

/** The state without corrections. */
export const EMPTY_LEDGER: LedgerState = applyLedger([])

/**
 * The facts as the ledger has corrected them: episodes of removed runs are gone, invalidated episodes are void,
 * rescored ones have their new ending. The envelopes stay as they were sealed.
 */
export function correctFacts(
  facts: readonly EpisodeFact[],
  ledger: LedgerState,
): readonly EpisodeFact[] {
  const { removed, invalidated, rescored } = ledger
  if (removed.size + invalidated.size + rescored.size === 0) return facts
  return joinParts(correctParts(facts, ledger))
}

/** A part with nothing to correct stays what it is. */
const correctParts = inParts(
  (part: readonly EpisodeFact[], ledger: LedgerState): readonly EpisodeFact[] => {
    const { removed, invalidated, rescored } = ledger
    const isTouched = ({ runId, episodeId }: EpisodeFact) =>
      removed.has(runId) || invalidated.has(episodeId) || rescored.has(episodeId)
    if (!part.some(isTouched)) return part
    return part.flatMap((fact) => {
      if (removed.has(fact.runId)) return []
      if (invalidated.has(fact.episodeId)) return { ...fact, status: 'void', verdict: null }
      const rescore = rescored.get(fact.episodeId)
      return rescore ? rescoredFact(fact, rescore) : fact
    })
  },
)

function rescoredFact(
  fact: EpisodeFact,
  { status, verdict }: Pick<EpisodeFact, 'status' | 'verdict'>,
): EpisodeFact {
  const { grading } = fact
  const regraded = grading && { grading: regradedFact(grading, verdict === 'pass') }
  return { ...fact, status, verdict, ...regraded }
}

type Register = LedgerAction & { kind: 'register' }

/** A frozen plan that this server saw: `sequence` is its place in the ledger, `at` the server's time of receipt. */
export type Registration = Omit<Register, 'kind' | 'target'> & {
  planDigest: string
  sequence: number
  at: string
}

/** How a run first came in; `voucher` null = the entry is from before senders were recorded. */
type Arrival = {
  runId: string
  planDigest: string
  sequence: number
  voucher: string | null
}

/** Registrations and received runs of the ledger: which registered runs are missing, and from whom. */
export type RegistrationBook = {
  registrations: readonly Registration[]
  /** By run id. */
  arrivals: ReadonlyMap<string, Arrival>
  /** Runs removed by an entry with a public reason, which do not have to be uploaded. */
  removed: ReadonlySet<string>
  /** The registration that each arrived run fulfils, by run id. */
  matched: ReadonlyMap<string, Registration>
  /** The last entry after which any of this was different, but for the arrival of a run that no one registered. */
  changedBy: number
}

/** Reads the registrations out of a whole ledger, in its order. Pure. */
export function readRegistrations(entries: readonly LedgerEntry[]): RegistrationBook {
  const registrations: Registration[] = []
  const arrivals = new Map<string, Arrival>()
  const removed = new Set<string>()
  for (const { action, sequence, at } of entries) {
    if (action.kind === 'register') {
      const { kind: _, target: planDigest, ...rest } = action
      registrations.push({ ...rest, planDigest, sequence, at })
    } else if (action.kind === 'remove') removed.add(action.target)
    else if (action.kind === 'include') {
      const { target: runId, planDigest, receipt } = action
      removed.delete(runId)
      // Included again after a removal, a run still came when it first came.
      if (!arrivals.has(runId))
        arrivals.set(runId, { runId, planDigest, sequence, voucher: receipt?.voucher ?? null })
    }
  }
  const matched = matchRuns(registrations, [...arrivals.values()])
  const changedBy = findLastChange(entries, arrivals, matched)
  return { registrations, arrivals, removed, matched, changedBy }
}

function findLastChange(
  entries: readonly LedgerEntry[],
  arrivals: RegistrationBook['arrivals'],
  matched: RegistrationBook['matched'],
): number {
  let last = 0
  for (const { action, sequence } of entries) {
    const isChange =
      action.kind === 'register' ||
      action.kind === 'remove' ||
      // Included again: it may have been removed before.
      (action.kind === 'include' && arrivals.get(action.target)?.sequence !== sequence)
    if (isChange || matched.has(action.target)) last = sequence
  }
  return last
}

/**
 * The registration that each arrived run fulfils, by run id: of the same plan, by the same sender, and made before the run
 * came in. Runs that are named come first; a registration of a bare number takes others in the order of their arrival.
 */
function matchRuns(
  registrations: readonly Registration[],
  arrivals: readonly Arrival[],
): Map<string, Registration> {
  const places = new Map<string, Place[]>()
  for (const registration of registrations) {
    const { planDigest, runs, expected } = registration
    const ids = new Set(runs.map(({ runId }) => runId))
    const own = places.get(planDigest) ?? []
    places.set(planDigest, own)
    own.push({ registration, ids, unnamed: expected - ids.size })
  }
  const matched = new Map<string, Registration>()
  for (const { runId, planDigest, sequence, voucher } of arrivals) {
    const own = (places.get(planDigest) ?? []).filter(
      ({ registration }) =>
        registration.sequence < sequence && registration.sender.voucher === voucher,
    )
    const place = own.find(({ ids }) => ids.has(runId)) ?? own.find(({ unnamed }) => unnamed > 0)
    if (!place) continue
    if (!place.ids.has(runId)) place.unnamed--
    matched.set(runId, place.registration)
  }
  return matched
}

type Place = { registration: Registration; ids: ReadonlySet<string>; unnamed: number }
