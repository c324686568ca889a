import { decideEligibility, type Eligibility } from '../eligibility/decide-eligibility.ts'
import type { EligibilityContext, Invalidation, Rival } from '../eligibility/eligibility-context.ts'
import { POLICY, type Policy, tightenPolicy } from '../eligibility/policy.ts'
import { type KnownPrograms, RELEASED_PROGRAMS } from '../eligibility/released-programs.ts'
import { findImitations } from '../identity/find-imitations.ts'
import { kindsOf } from '../identity/kinds-of.ts'
import { EMPTY_LEDGER } from '../ledger/apply-ledger.ts'
import { subjectLabel } from '../subject.ts'
import type { GateInput } from './build-board-input.ts'
import { buildRowGroups, frozenPlans, type RowGroup } from './build-row-groups.ts'
import type { EpisodeFact } from './episode-fact.ts'
import { findCopies } from './find-copies.ts'
import { isSameSetup } from './row-identity.ts'

export type GroupDecision = { group: RowGroup; eligibility: Eligibility }

const NONE: ReadonlySet<string> = new Set()

/**
 * Asks the headline gate about every row of a board. Rows that pass on their own are asked again with the other such
 * rows as rivals, because void episodes may change a verdict between them.
 */
export function buildEligibility(
  input: GateInput,
  groups: readonly RowGroup[] = buildRowGroups(input),
): GroupDecision[] {
  const shared = sharedContext(input)
  const imitations = findImitations(groups)
  const decide = (group: RowGroup, rivals: readonly Rival[]) => {
    const { planned, retried: retriedSlots, replacedVoids, registration } = group
    return decideEligibility(group.counted, {
      ...shared,
      planned,
      retriedSlots,
      replacedVoids,
      invalidations: findInvalidations(group, input.ledger),
      registration,
      passedWithoutFault: passedTasks(group, groups),
      imitation: imitations.get(group.rowId) ?? null,
      rivals,
    })
  }
  const alone = groups.map((group) => ({ group, eligibility: decide(group, []) }))
  const claims = alone.filter(({ eligibility }) => eligibility.eligible)
  return alone.map((decision) => {
    if (!decision.eligibility.eligible) return decision
    const rivals = claims.filter(({ group }) => group !== decision.group).map(asRival)
    return { group: decision.group, eligibility: decide(decision.group, rivals) }
  })
}

/** The policy that holds on this board. */
export function boardPolicy({
  policy = POLICY,
  suite,
}: Pick<GateInput, 'policy' | 'suite'>): Policy {
  return tightenPolicy(policy, suite.thresholds ?? {})
}

/** The kinds of subjects that a suite measures, if it says of which kind it is. */
export function suiteKinds({ kind, subjectKinds }: GateInput['suite']) {
  return kind && kindsOf({ kind, subjectKinds })
}

type SharedContext = Omit<
  EligibilityContext,
  | 'planned'
  | 'retriedSlots'
  | 'replacedVoids'
  | 'invalidations'
  | 'passedWithoutFault'
  | 'registration'
  | 'imitation'
  | 'rivals'
>

function sharedContext(input: GateInput): SharedContext {
  const ledger = input.ledger ?? EMPTY_LEDGER
  return {
    policy: boardPolicy(input),
    claim: 'aggregate',
    suiteTasks: input.suite.tasks,
    plans: frozenPlans(input.runs),
    resolvedFindings: ledger.resolvedFindings,
    regradeDisagreements: input.regradeDisagreements ?? NONE,
    evaluations: input.evaluations ?? null,
    subjectKinds: suiteKinds(input.suite),
    copies: findCopies(input.facts, input.runs),
    knownPrograms: knownPrograms(input.facts),
  }
}

function findInvalidations(group: RowGroup, ledger = EMPTY_LEDGER): Invalidation[] {
  const targets = [
    group.rowId,
    ...group.aliases,
    ...new Set(group.counted.map((fact) => fact.runId)),
  ].sort()
  return targets.flatMap((target) => {
    const correction = ledger.invalidated.get(target)
    return correction ? [{ target, reason: correction.reason, at: correction.at }] : []
  })
}

function asRival({ group }: GroupDecision): Rival {
  return { label: subjectLabel(group.identity.subject), tallies: group.tallies }
}

/** Released programs, and those by which this server made its own episodes. */
function knownPrograms(facts: readonly EpisodeFact[]): KnownPrograms {
  const own = facts.filter(({ provenance }) => provenance === 'local')
  return {
    versions: new Set([
      ...RELEASED_PROGRAMS.versions,
      ...own.flatMap(({ origin }) => origin?.harness.version ?? []),
    ]),
    verifiers: new Set([
      ...RELEASED_PROGRAMS.verifiers,
      ...own.flatMap(({ grading }) => grading?.verifier?.digest ?? []),
    ]),
  }
}

/** The tasks that the same subject of the same sender solved without a planned fault, under the same settings. */
function passedTasks(
  { identity, sender, counted }: RowGroup,
  groups: readonly RowGroup[],
): ReadonlySet<string> {
  if (counted.every(({ fault }) => fault === null)) return NONE
  const key = subjectKey(identity)
  const baselines = groups.filter(
    (other) =>
      other.sender === sender &&
      subjectKey(other.identity) === key &&
      isSameSetup(other.identity.settings, identity.settings),
  )
  return new Set(
    baselines.flatMap((row) =>
      row.counted.flatMap(({ fault, status, taskId }) =>
        fault === null && status === 'solved' ? [taskId] : [],
      ),
    ),
  )
}

function subjectKey({ subject }: RowGroup['identity']): string {
  return JSON.stringify(Object.entries(subject).sort(([a], [b]) => (a < b ? -1 : 1)))
}
