import {
  type BoardRow,
  type BuildBoardInput,
  boardPolicy,
  buildEligibility,
  buildRowGroups,
  isRow,
  pickRow,
  type RowGroup,
} from '../board/index.ts'
import {
  countSamples,
  POLICY_VERSION,
  type Policy,
  type RuleRefusal,
} from '../eligibility/index.ts'
import { isLlmDriven, isScored, type Plan, type PlanDraft, repetitionsOf } from '../record/index.ts'
import { settingsSchema } from '../settings/index.ts'
import type { Task, Thresholds } from '../tasks/index.ts'
import { listNames } from '../text/index.ts'

/** An unfrozen plan of the samples that a row lacks. */
export type TopUpDraft = {
  draft: TopUpDraftPlan
  /** All tasks of the suite with their scored and planned episodes. */
  needs: TaskNeed[]
  /** Reasons why the row is not a claim that more samples do not fix. */
  unmended: RuleRefusal[]
}

export type TopUp = ({ ok: true } & TopUpDraft) | { ok: false; refusal: TopUpRefusal }

const FIXED_BY_TOP_UP = new Set(['samples', 'complete'])

/**
 * Plans exactly the samples that a row lacks, under the row's own settings: a replacement for each planned episode that
 * is void, cancelled or missing, one sample of every task that has none, and the rest of the goal's threshold, spread
 * evenly. Refuses with a reason if a top-up cannot help.
 */
export function planTopUp(
  board: BuildBoardInput,
  rowId: BoardRow['rowId'],
  goal: TopUpGoal = { kind: 'aggregate' },
): TopUp {
  const decisions = buildEligibility(board)
  const known = pickRow(
    decisions.map(({ group }) => group),
    rowId,
  )
  const decision = decisions.find(({ group }) => group === known)
  if (!decision) return refuse(findElsewhere(board, rowId))
  const { group, eligibility } = decision
  const obstacle = findObstacle(group)
  if (obstacle) return refuse(obstacle)
  const needs = listTaskNeeds(group, board.suite.tasks, boardPolicy(board), goal)
  const unmended = eligibility.refusals.filter(({ code }) => !FIXED_BY_TOP_UP.has(code))
  if (needs.every(({ planned }) => planned.length === 0)) return refuse(nothingMissing(unmended))
  return { ok: true, draft: draftTopUp(group, needs), needs, unmended }
}

export const SUITE_CHANGED: TopUpRefusal = {
  code: 'suite-changed',
  reason:
    'The suite has changed since this entry was measured, so it cannot be topped up. Plan a new run on the current version.',
}

function refuse(refusal: TopUpRefusal): TopUp {
  return { ok: false, refusal }
}

/** The row may have been measured on another version of the suite. */
function findElsewhere({ suite, ...rest }: BuildBoardInput, rowId: string): TopUpRefusal {
  const versions = new Set(rest.facts.map((fact) => fact.suiteDigest))
  const isThere = [...versions].some((digest) => {
    const there = { ...suite, digest: digest as BuildBoardInput['suite']['digest'] }
    return buildRowGroups({ ...rest, suite: there }).some((group) => isRow(group, rowId))
  })
  if (isThere) return SUITE_CHANGED
  const reason =
    'This entry is not on the leaderboard. It may have been removed, or the link is wrong.'
  return { code: 'row-unknown', reason }
}

function nothingMissing(unmended: readonly RuleRefusal[]): TopUpRefusal {
  if (unmended.length === 0) {
    const reason = 'No episodes are missing: every planned episode is scored, and there are enough.'
    return { code: 'nothing-missing', reason }
  }
  const codes = listNames(
    unmended.map(({ code }) => code),
    6,
  )
  const reason = `No episodes are missing. The entry is unranked for other reasons (${codes}), which a top-up cannot fix.`
  return { code: 'not-about-samples', reason }
}

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

/** Returns why no plan can extend this row; null = one can. */
export function findObstacle({ counted, runs, plans }: RowGroup): TopUpRefusal | null {
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
  if (runs.some(({ runId }) => !plans.has(runId))) {
    const reason =
      'This entry was reported by another program without a frozen plan, so it cannot be repeated here.'
    return { code: 'plan-unknown', reason }
  }
  if (new Set([...plans.values()].map(({ command }) => command)).size > 1) {
    const reason =
      'The plans of this entry start the agent with different commands, so a top-up is ambiguous.'
    return { code: 'plans-differ', reason }
  }
  return null
}

/** Plans these tasks' `planned` repetitions under the row's own subject and settings. */
export function draftTopUp(
  { identity, rowId, runs, plans, planned }: RowGroup,
  needs: readonly Pick<TaskNeed, 'taskId' | 'digest' | 'category' | 'planned'>[],
): TopUpDraftPlan {
  const tasks = needs.flatMap(({ taskId, digest, category, planned: repetitions }) =>
    repetitions.length > 0 ? [{ taskId, digest, category, repetitions }] : [],
  )
  const { arm } = identity.subject
  const own = [...plans.values()].flatMap(({ arms = [] }) =>
    arms.filter(({ name }) => name === arm),
  )
  // Slots of missing shards are expected under their own run id.
  const owners = new Set([...runs, ...planned].map(({ runId }) => runId))
  return {
    ...identity,
    // All settings are known in a row of frozen plans.
    settings: settingsSchema.parse(identity.settings),
    tasks,
    command: [...plans.values()][0]?.command ?? null,
    ...(own[0] && { arms: [own[0]] }),
    repetitions: Math.max(...tasks.map(({ repetitions }) => repetitions.length)),
    policyVersion: POLICY_VERSION,
    topUpOf: { rowId, runIds: [...owners].sort() },
  }
}

/** Goal of a top-up: a claim over all tasks, a claim about each single task, or a number of samples per task. */
export type TopUpGoal =
  | { kind: 'aggregate' }
  | { kind: 'per-task' }
  | { kind: 'samples'; samples: number }

/** One task of a row: its samples, and the repetitions that a top-up plans for it. */
export type TaskNeed = Pick<Task, 'taskId' | 'digest' | 'category'> & {
  /** Independent scored samples. */
  scored: number
  /** Planned episodes that are void, cancelled or missing: each is replaced. */
  holes: number
  /** Numbers of the repetitions to run; they continue after the highest one that the row used. */
  planned: number[]
}

/** Maximum repetitions of a task in one plan; a row that needs more gets them from the next top-up. */
const MAX_AT_ONCE = 1000

type SuiteTask = Pick<Task, 'taskId' | 'digest' | 'category'>

/**
 * Lists the needs of each task of the suite, by task id: its holes filled, at least one sample (for a claim, as many as
 * the policy requires of a model-driven subject), and its share of the rest of the goal (fewest samples first, ties by
 * task id).
 */
function listTaskNeeds(
  group: RowGroup,
  suiteTasks: readonly SuiteTask[],
  { thresholds, modelRepetitions }: Policy,
  goal: TopUpGoal,
): TaskNeed[] {
  const isDriven = group.counted.some(isLlmDriven)
  const sorted = [...suiteTasks].sort((a, b) => (a.taskId < b.taskId ? -1 : 1))
  const tasks = sorted.map((task) => countTask(group, task))
  for (const task of tasks) {
    const floor = isDriven && goal.kind !== 'samples' ? modelRepetitions : 1
    const min = Math.max(floor, leastOf(goal, thresholds))
    task.wanted = Math.max(task.holes, min - task.scored)
  }
  if (goal.kind === 'aggregate') spreadShortfall(tasks, thresholds.aggregateEpisodes)
  return tasks.map(({ wanted, last, ...need }) => ({
    ...need,
    planned: Array.from({ length: Math.min(wanted, MAX_AT_ONCE) }, (_, index) => last + index + 1),
  }))
}

type Count = Omit<TaskNeed, 'planned'> & { wanted: number; last: number }

function countTask(group: RowGroup, { taskId, digest, category }: SuiteTask): Count {
  const { counted, planned } = group
  const own = counted.filter((fact) => fact.taskId === taskId)
  const sound = new Set(own.filter((fact) => isScored(fact.status)).map(slotOf))
  const owed = planned.filter((slot) => slot.taskId === taskId)
  return {
    taskId,
    digest,
    category,
    scored: countSamples(own),
    holes: owed.filter((slot) => !sound.has(slotOf(slot))).length,
    wanted: 0,
    last: lastRepetition(group, taskId),
  }
}

/** The highest repetition of a task that a row planned or ran; 0 = none. */
export function lastRepetition({ counted, plans }: RowGroup, taskId: string): number {
  const planned = [...plans.values()].flatMap((plan) =>
    plan.tasks.flatMap((task) => (task.taskId === taskId ? repetitionsOf(plan, task) : [])),
  )
  const played = counted.flatMap((fact) => (fact.taskId === taskId ? [fact.repetition] : []))
  return Math.max(0, ...planned, ...played)
}

function slotOf({ runId, repetition }: { runId: string; repetition: number }): string {
  return `${runId}/${repetition}`
}

function leastOf(goal: TopUpGoal, { perTaskEpisodes }: Thresholds): number {
  if (goal.kind === 'aggregate') return 1
  return goal.kind === 'per-task' ? perTaskEpisodes : goal.samples
}

/** Adds one to the task with the fewest until the total is enough. */
function spreadShortfall(tasks: readonly Count[], enough: number): void {
  const size = ({ scored, wanted }: Count) => scored + wanted
  let total = tasks.reduce((sum, task) => sum + size(task), 0)
  for (; total < enough; total++) {
    const fewest = tasks.reduce((least, task) => (size(task) < size(least) ? task : least))
    fewest.wanted++
  }
}
