import { decideEligibility, type Eligibility } from '../eligibility/decide-eligibility.ts'
import type { EligibilityContext, Invalidation, Rival } from '../eligibility/eligibility-context.ts'
import { POLICY, type Policy, tightenPolicy } from '../eligibility/policy.ts'
import { EMPTY_LEDGER } from '../ledger/apply-ledger.ts'
import { subjectLabel } from '../subject.ts'
import type { GateInput } from './build-board-input.ts'
import { buildRowGroups, frozenPlans, type RowGroup } from './build-row-groups.ts'

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
  const passed = passedTasks(groups)
  const decide = (group: RowGroup, rivals: readonly Rival[]) => {
    const passedWithoutFault = passed.get(subjectKey(group)) ?? NONE
    const { planned, retried: retriedSlots, replacedVoids, registration } = group
    return decideEligibility(group.counted, {
      ...shared,
      planned,
      retriedSlots,
      replacedVoids,
      invalidations: findInvalidations(group, input.ledger),
      passedWithoutFault,
      registration,
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

type SharedContext = Omit<
  EligibilityContext,
  | 'planned'
  | 'retriedSlots'
  | 'replacedVoids'
  | 'invalidations'
  | 'passedWithoutFault'
  | 'registration'
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
  }
}

function findInvalidations(group: RowGroup, ledger = EMPTY_LEDGER): Invalidation[] {
  const targets = [group.rowId, ...new Set(group.counted.map((fact) => fact.runId))].sort()
  return targets.flatMap((target) => {
    const correction = ledger.invalidated.get(target)
    return correction ? [{ target, reason: correction.reason, at: correction.at }] : []
  })
}

function asRival({ group }: GroupDecision): Rival {
  return { label: subjectLabel(group.identity.subject), tallies: group.tallies }
}

/** The tasks that each subject solved without a planned fault, under any settings. */
function passedTasks(groups: readonly RowGroup[]): Map<string, Set<string>> {
  const passed = new Map<string, Set<string>>()
  for (const group of groups) {
    const key = subjectKey(group)
    const tasks = passed.get(key) ?? new Set<string>()
    passed.set(key, tasks)
    for (const { fault, status, taskId } of group.counted) {
      if (fault === null && status === 'solved') tasks.add(taskId)
    }
  }
  return passed
}

function subjectKey({ identity }: RowGroup): string {
  return JSON.stringify(Object.entries(identity.subject).sort(([a], [b]) => (a < b ? -1 : 1)))
}
