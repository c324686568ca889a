import type { RowGroup } from '../board/build-row-groups.ts'
import { listNames } from '../eligibility/list-names.ts'
import { POLICY_VERSION } from '../eligibility/policy.ts'
import { isFrozen, type Plan, type PlanDraft, settingsSchema } from '../plan.ts'
import type { TaskNeed } from './list-task-needs.ts'

export type TopUpDraftPlan = PlanDraft & { topUpOf: NonNullable<Plan['topUpOf']> }

export type TopUpRefusal = {
  code:
    | 'row-unknown'
    | 'suite-changed'
    | 'stress-row'
    | 'plan-unknown'
    | 'plans-differ'
    | 'not-about-samples'
    | 'nothing-missing'
  /** Why no top-up is possible, in one or two sentences. */
  reason: string
}

/** Why no plan can extend this row; null = one can. */
export function findObstacle({ counted, runs }: RowGroup): TopUpRefusal | null {
  if (counted.some((fact) => fact.fault !== null)) {
    const reason =
      'This entry was measured with injected faults. A top-up plan cannot repeat the same faults.'
    return { code: 'stress-row', reason }
  }
  const known = new Set(runs.map(({ runId }) => runId))
  const strays = counted.flatMap(({ runId }) => (known.has(runId) ? [] : [runId]))
  if (strays.length > 0) {
    const reason = `The plan of ${listNames(strays)} is unknown, so the missing episodes cannot be determined.`
    return { code: 'plan-unknown', reason }
  }
  if (!runs.every(({ plan }) => isFrozen(plan))) {
    const reason =
      'This entry was reported by another program without a frozen plan, so it cannot be repeated here.'
    return { code: 'plan-unknown', reason }
  }
  if (new Set(runs.map(({ plan }) => plan.command)).size > 1) {
    const reason =
      'The plans of this entry start the agent with different commands, so a top-up is ambiguous.'
    return { code: 'plans-differ', reason }
  }
  return null
}

/** The plan of these tasks' `planned` repetitions under the row's own subject and settings. */
export function draftTopUp(
  { identity, rowId, runs, planned }: RowGroup,
  needs: readonly Pick<TaskNeed, 'taskId' | 'digest' | 'category' | 'planned'>[],
): TopUpDraftPlan {
  const tasks = needs.flatMap(({ taskId, digest, category, planned: repetitions }) =>
    repetitions.length > 0 ? [{ taskId, digest, category, repetitions }] : [],
  )
  // Slots of missing shards are owed under their own run id.
  const owners = new Set([...runs, ...planned].map(({ runId }) => runId))
  return {
    ...identity,
    // All settings are known in a row of frozen plans.
    settings: settingsSchema.parse(identity.settings),
    tasks,
    command: runs[0]?.plan.command ?? null,
    repetitions: Math.max(...tasks.map(({ repetitions }) => repetitions.length)),
    policyVersion: POLICY_VERSION,
    topUpOf: { rowId, runIds: [...owners].sort() },
  }
}
