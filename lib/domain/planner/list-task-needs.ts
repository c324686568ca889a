import type { RowGroup } from '../board/build-row-groups.ts'
import { countSamples } from '../eligibility/count-samples.ts'
import { isLlmDriven } from '../eligibility/is-llm-driven.ts'
import type { Policy, Thresholds } from '../eligibility/policy.ts'
import { repetitionsOf } from '../expand-plan.ts'
import { isScored } from '../outcome.ts'
import type { Task } from '../task.ts'

/** What a top-up aims at: a claim over all tasks, a claim about each single task, or a number of samples a task. */
export type TopUpGoal =
  | { kind: 'aggregate' }
  | { kind: 'per-task' }
  | { kind: 'samples'; samples: number }

/** One task of a row: what it has, and the repetitions that a top-up plans for it. */
export type TaskNeed = Pick<Task, 'taskId' | 'digest' | 'category'> & {
  /** Independent scored samples. */
  scored: number
  /** Planned episodes that are void, cancelled or missing: each is replaced. */
  holes: number
  /** Numbers of the repetitions to run; they go on after the highest one that the row used. */
  planned: number[]
}

/** A plan holds no more repetitions of a task; what a row lacks beyond is left to the next top-up. */
const MOST_AT_ONCE = 1000

type SuiteTask = Pick<Task, 'taskId' | 'digest' | 'category'>

/**
 * What each task of the suite needs, by task id: its holes filled, at least one sample (where a claim is aimed at, as many
 * as the policy asks of a model-driven subject), and its share of what the goal
 * still wants (fewest samples first, ties by task id).
 */
export function listTaskNeeds(
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
    const least = Math.max(floor, leastOf(goal, thresholds))
    task.wanted = Math.max(task.holes, least - task.scored)
  }
  if (goal.kind === 'aggregate') spreadShortfall(tasks, thresholds.aggregateEpisodes)
  return tasks.map(({ wanted, last, ...need }) => ({
    ...need,
    planned: Array.from({ length: Math.min(wanted, MOST_AT_ONCE) }, (_, index) => last + index + 1),
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

/** The highest repetition that a row planned or played of a task; 0 = none. */
export function lastRepetition({ counted, runs }: RowGroup, taskId: string): number {
  const planned = runs.flatMap(({ plan }) =>
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

/** Gives one more to the task with the fewest until all together are enough. */
function spreadShortfall(tasks: readonly Count[], enough: number): void {
  const size = ({ scored, wanted }: Count) => scored + wanted
  let total = tasks.reduce((sum, task) => sum + size(task), 0)
  for (; total < enough; total++) {
    const fewest = tasks.reduce((least, task) => (size(task) < size(least) ? task : least))
    fewest.wanted++
  }
}
