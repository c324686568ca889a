import type { BoardRow, Refusal } from '../board/board-row.ts'
import type { BuildBoardInput } from '../board/build-board-input.ts'
import { boardPolicy, buildEligibility } from '../board/build-eligibility.ts'
import { buildRowGroups, type RowGroup } from '../board/build-row-groups.ts'
import { listNames } from '../eligibility/list-names.ts'
import { POLICY_VERSION } from '../eligibility/policy.ts'
import type { Plan, PlanDraft } from '../plan.ts'
import { listTaskNeeds, type TaskNeed, type TopUpGoal } from './list-task-needs.ts'

/** A plan of what a row lacks, not frozen yet. */
export type TopUpDraft = {
  draft: PlanDraft & Required<Pick<Plan, 'topUpOf'>>
  /** Every task of the suite with what it has and what it is to get. */
  needs: TaskNeed[]
  /** Reasons why the row is no claim that more samples do not mend. */
  unmended: Refusal[]
}

export type TopUpRefusal = {
  code:
    | 'row-unknown'
    | 'suite-changed'
    | 'stress-row'
    | 'plan-unknown'
    | 'plans-differ'
    | 'not-about-samples'
    | 'nothing-missing'
  /** What stands in the way, in one sentence or two. */
  reason: string
}

export type TopUp = ({ ok: true } & TopUpDraft) | { ok: false; refusal: TopUpRefusal }

const MENDED = new Set(['samples', 'complete'])

/**
 * Plans exactly the samples that a row lacks, under the row's own settings: a replacement for each planned episode that
 * is void, cancelled or missing, one of every task that has none, and what the goal's threshold still wants, spread
 * evenly. Refuses by name where a top-up cannot help. Pure.
 */
export function planTopUp(
  board: BuildBoardInput,
  rowId: BoardRow['rowId'],
  goal: TopUpGoal = { kind: 'aggregate' },
): TopUp {
  const decision = buildEligibility(board).find(({ group }) => group.rowId === rowId)
  if (!decision) return refuse(findElsewhere(board, rowId))
  const { group, eligibility } = decision
  const obstacle = findObstacle(group)
  if (obstacle) return refuse(obstacle)
  const needs = listTaskNeeds(group, board.suite.tasks, boardPolicy(board).thresholds, goal)
  const unmended = eligibility.refusals.filter(({ code }) => !MENDED.has(code))
  if (needs.every(({ planned }) => planned.length === 0)) return refuse(nothingMissing(unmended))
  return { ok: true, draft: draftPlan(group, needs), needs, unmended }
}

export const SUITE_CHANGED: TopUpRefusal = {
  code: 'suite-changed',
  reason:
    'The suite has changed since this row was measured: the missing samples cannot be added to it. Plan a new run on the present version.',
}

function refuse(refusal: TopUpRefusal): TopUp {
  return { ok: false, refusal }
}

/** The row may have been measured on another version of the suite. */
function findElsewhere({ suite, ...rest }: BuildBoardInput, rowId: string): TopUpRefusal {
  const versions = new Set(rest.facts.map((fact) => fact.suiteDigest))
  const isThere = [...versions].some((digest) => {
    const there = { ...suite, digest: digest as BuildBoardInput['suite']['digest'] }
    return buildRowGroups({ ...rest, suite: there }).some((group) => group.rowId === rowId)
  })
  if (isThere) return SUITE_CHANGED
  const reason = 'No such row is on this board: it may have been taken down, or the link is wrong.'
  return { code: 'row-unknown', reason }
}

function findObstacle({ counted, runs }: RowGroup): TopUpRefusal | null {
  if (counted.some((fact) => fact.fault !== null)) {
    const reason =
      'The row was measured under planned faults, and a plan cannot ask for the same faults again.'
    return { code: 'stress-row', reason }
  }
  const known = new Set(runs.map(({ runId }) => runId))
  const strays = counted.flatMap(({ runId }) => (known.has(runId) ? [] : [runId]))
  if (strays.length > 0) {
    const reason = `No plan is known for ${listNames(strays)}, so nobody can say what is missing of it.`
    return { code: 'plan-unknown', reason }
  }
  if (new Set(runs.map(({ plan }) => plan.command)).size > 1) {
    const reason =
      'The plans of this row differ in the command that starts the subject, so a top-up would have to choose one.'
    return { code: 'plans-differ', reason }
  }
  return null
}

function nothingMissing(unmended: readonly Refusal[]): TopUpRefusal {
  if (unmended.length === 0) {
    const reason = 'Nothing is missing: every planned sample is there, and they are enough.'
    return { code: 'nothing-missing', reason }
  }
  const codes = listNames(
    unmended.map(({ code }) => code),
    6,
  )
  const reason = `Nothing is missing. The row is no claim for a reason that is not about samples (${codes}): a top-up cannot mend it.`
  return { code: 'not-about-samples', reason }
}

function draftPlan({ identity, rowId, runs, planned }: RowGroup, needs: readonly TaskNeed[]) {
  const tasks = needs.flatMap(({ taskId, digest, category, planned: repetitions }) =>
    repetitions.length > 0 ? [{ taskId, digest, category, repetitions }] : [],
  )
  // Slots of shards that nobody handed in are owed under a name of their own.
  const owners = new Set([...runs, ...planned].map(({ runId }) => runId))
  return {
    ...identity,
    tasks,
    command: runs[0]?.plan.command ?? null,
    repetitions: Math.max(...tasks.map(({ repetitions }) => repetitions.length)),
    policyVersion: POLICY_VERSION,
    topUpOf: { rowId, runIds: [...owners].sort() },
  }
}
