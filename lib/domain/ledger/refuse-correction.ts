import type { OutcomeStatus, Verdict } from '../record/outcome.ts'
import type { Correction, LedgerState } from './apply-ledger.ts'
import type { LedgerAction } from './ledger-entry.ts'

/** What a correction is aimed at, as it is kept and as the ledger stands. */
export type Standing = {
  kind: 'run' | 'row' | 'episode' | null
  exists: boolean
  isIncluded: boolean
  /** A run that a registered plan owes. */
  isOwed?: boolean
  /** An episode's sealed ending; null for runs and rows. */
  ending: { status: OutcomeStatus; verdict: Verdict | null; findings: number } | null
  state: LedgerState
}

type Target = NonNullable<Standing['kind']>

/** The kinds of entry that a person may write, and what each is about. */
export const CORRECTIONS = {
  include: ['run'],
  remove: ['run'],
  invalidate: ['run', 'row', 'episode'],
  reinstate: ['run', 'row', 'episode'],
  rescore: ['episode'],
  'resolve-findings': ['episode'],
} as const satisfies Partial<Record<LedgerAction['kind'], readonly Target[]>>

/** Why this correction makes no sense now, in one sentence; null = it does. */
export function refuseCorrection(action: LedgerAction, standing: Standing): string | null {
  const { kind, target } = action
  if (!isCorrection(kind)) return `${kind} is written by the server itself and is no correction`
  const wanted: readonly Target[] = CORRECTIONS[kind]
  if (standing.kind === null || !wanted.includes(standing.kind))
    return `${kind} takes ${listTargets(wanted)}, not "${target}"`
  const { removed, invalidated } = standing.state
  if (kind === 'reinstate')
    return invalidated.has(target)
      ? null
      : `${target} is not invalidated: there is nothing to take back`
  if (kind === 'remove') return refuseRemove(target, standing, removed.get(target))
  if (!standing.exists) return notKept(target, standing)
  if (kind === 'include') return refuseInclude(target, standing)
  if (kind === 'invalidate') return already(target, 'invalidated', invalidated.get(target))
  if (action.kind === 'rescore') return refuseRescore(action, standing)
  return refuseResolve(target, standing)
}

function isCorrection(kind: LedgerAction['kind']): kind is keyof typeof CORRECTIONS {
  return kind in CORRECTIONS
}

function notKept(target: string, { kind }: Standing): string {
  return `no ${kind} ${target} is stored here`
}

const TARGET_WORDS: Record<Target, string> = {
  run: 'a run (run_…)',
  row: 'a row of a board (row_…)',
  episode: 'an episode (ep_…)',
}

function listTargets(kinds: readonly Target[]): string {
  return kinds.map((kind) => TARGET_WORDS[kind]).join(' or ')
}

function already(target: string, what: string, by: Correction | undefined): string | null {
  return by ? `${target} is already ${what}, by ledger entry ${by.sequence}` : null
}

function refuseRemove(
  target: string,
  standing: Standing,
  by: Correction | undefined,
): string | null {
  const { exists, isIncluded, isOwed = false } = standing
  if (!exists && !isOwed) return notKept(target, standing)
  if (!isIncluded && !isOwed) return `${target} does not count yet: it has no episode`
  return already(target, 'removed', by)
}

function refuseInclude(target: string, { isIncluded, state }: Standing): string | null {
  if (isIncluded && !state.removed.has(target)) return `${target} counts already`
  return null
}

type Rescore = LedgerAction & { kind: 'rescore' }

function refuseRescore({ target, from, to, verdict }: Rescore, { ending, state }: Standing) {
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

function refuseResolve(target: string, { ending, state }: Standing): string | null {
  if (state.resolvedFindings.has(target)) return `the findings of ${target} are already resolved`
  const isFound = ending !== null && (ending.findings > 0 || ending.status === 'tampered')
  return isFound ? null : `the tamper detectors found nothing in ${target}`
}
