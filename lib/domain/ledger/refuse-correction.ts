import { isPinnedLibrary, type OutcomeStatus, type Subject, type Verdict } from '../record/index.ts'
import type { Correction, LedgerState } from './apply-ledger.ts'
import type { LedgerAction } from './ledger-entry.ts'

/** The target of a correction with its stored data and the state of the ledger. */
export type CorrectionTarget = {
  kind: 'run' | 'row' | 'episode' | null
  exists: boolean
  isIncluded: boolean
  /** A run of a registered plan that was not uploaded. */
  isOwed?: boolean
  /** An episode's sealed ending; null for runs and rows. */
  ending: { status: OutcomeStatus; verdict: Verdict | null; findings: number } | null
  /** A row's subject; null = unknown, or no row. */
  subject?: Subject | null
  state: LedgerState
}

type Target = NonNullable<CorrectionTarget['kind']>

/** Kinds of entry that a person may write, each with its targets. */
export const CORRECTIONS = {
  include: ['run'],
  remove: ['run'],
  invalidate: ['run', 'row', 'episode'],
  reinstate: ['run', 'row', 'episode'],
  rescore: ['episode'],
  'resolve-findings': ['episode'],
  'accept-library': ['row'],
} as const satisfies Partial<Record<LedgerAction['kind'], readonly Target[]>>

/** Returns why this correction is not possible, in one sentence; null = possible. */
export function refuseCorrection(action: LedgerAction, standing: CorrectionTarget): string | null {
  const { kind, target } = action
  if (!isCorrection(kind)) return `${kind} is written by the server itself and is not a correction`
  const wanted: readonly Target[] = CORRECTIONS[kind]
  if (standing.kind === null || !wanted.includes(standing.kind))
    return `${kind} takes ${listTargets(wanted)}, not "${target}"`
  const { removed, invalidated } = standing.state
  if (kind === 'reinstate')
    return invalidated.has(target)
      ? null
      : `${target} is not invalidated, so it cannot be reinstated`
  if (kind === 'remove') return refuseRemove(target, standing, removed.get(target))
  if (!standing.exists) return notKept(target, standing)
  if (kind === 'include') return refuseInclude(target, standing)
  if (kind === 'invalidate') return already(target, 'invalidated', invalidated.get(target))
  if (kind === 'accept-library') return refuseAccept(target, standing)
  if (action.kind === 'rescore') return refuseRescore(action, standing)
  return refuseResolve(target, standing)
}

function isCorrection(kind: LedgerAction['kind']): kind is keyof typeof CORRECTIONS {
  return kind in CORRECTIONS
}

function notKept(target: string, { kind }: CorrectionTarget): string {
  return `no ${kind} ${target} is stored here`
}

const TARGET_WORDS: Record<Target, string> = {
  run: 'a run (run_…)',
  row: 'a board row (row_…)',
  episode: 'an episode (ep_…)',
}

function listTargets(kinds: readonly Target[]): string {
  return kinds.map((kind) => TARGET_WORDS[kind]).join(' or ')
}

function already(target: string, what: string, by: Correction | undefined): string | null {
  return by ? `${target} is already ${what}, by ledger entry ${by.sequence}` : null
}

function refuseAccept(target: string, { subject, state }: CorrectionTarget): string | null {
  if (subject && !isPinnedLibrary(subject))
    return `${target} is an entry of ${subject.name}, which is not a library of one's own with a pinned package, so there is nothing to accept`
  return already(target, 'accepted', state.acceptedLibraries.get(target))
}

function refuseRemove(
  target: string,
  standing: CorrectionTarget,
  by: Correction | undefined,
): string | null {
  const { exists, isIncluded, isOwed = false } = standing
  if (!exists && !isOwed) return notKept(target, standing)
  if (!isIncluded && !isOwed) return `${target} does not count yet: it has no episode`
  return already(target, 'removed', by)
}

function refuseInclude(target: string, { isIncluded, state }: CorrectionTarget): string | null {
  if (isIncluded && !state.removed.has(target)) return `${target} already counts on the board`
  return null
}

type Rescore = LedgerAction & { kind: 'rescore' }

function refuseRescore(
  { target, from, to, verdict }: Rescore,
  { ending, state }: CorrectionTarget,
) {
  if (state.invalidated.has(target)) return `${target} is invalidated: reinstate it first`
  const now = state.rescored.get(target) ?? ending
  if (now?.status !== from) return `${target} ended ${now?.status}, not ${from}`
  const fits = to === 'solved' ? verdict === 'pass' : verdict !== 'pass'
  if (!fits)
    return `an episode is solved exactly when its verdict is pass, not ${to} with ${verdict}`
  if (to === from && verdict === now.verdict)
    return `${target} ended ${from} with this verdict already`
  return null
}

function refuseResolve(target: string, { ending, state }: CorrectionTarget): string | null {
  if (state.resolvedFindings.has(target)) return `the findings of ${target} are already resolved`
  const isFound = ending !== null && (ending.findings > 0 || ending.status === 'tampered')
  return isFound ? null : `the tamper detectors found nothing in ${target}`
}
