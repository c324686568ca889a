import { countOf } from '../record/index.ts'
import {
  ASSUMED_VARIANCES,
  detectableDifference,
  estimateDifferenceVariance,
  estimateVariances,
  type PowerDesign,
  SMALL_DIFFERENCE,
  type TaskCounts,
  tasksNeeded,
} from '../statistics/index.ts'
import type { MoreRuns } from './arms-view.ts'
import { formatDifference, type MeasuredDifference } from './measured-difference.ts'

type Row = { tasks: readonly TaskCounts[]; repetitions: { most: number } }

const POWER = 0.8
const MOST_REPETITIONS = 1000
const MOST_TASKS = 10_000

/**
 * What would decide between an arm and its baseline, at the level at which they were compared; null = it is decided.
 * Variances are those of the two rows, else the planner's assumptions.
 */
export function moreRuns(arm: Row, baseline: Row, result: MeasuredDifference): MoreRuns | null {
  const { verdict, difference: seen, confidence } = result
  if (verdict.kind !== 'cannot-tell') return null
  const difference = Math.max(Math.abs(seen), SMALL_DIFFERENCE / 2)
  const common = arm.tasks.filter(({ taskId }) =>
    baseline.tasks.some((task) => task.taskId === taskId),
  ).length
  const own = Math.max(1, arm.repetitions.most)
  const design = {
    tasks: common,
    ...variancesOf(arm, baseline),
    alpha: 1 - confidence,
    power: POWER,
  }
  const most = own + MOST_REPETITIONS
  const enough = isFound(design, most, difference) ? findLeast(design, own, most, difference) : null
  const { tasks: _, ...anySize } = { ...design, repetitionsA: own, repetitionsB: own }
  const needed = tasksNeeded(difference, anySize)
  const tasks = needed.ok && needed.value <= MOST_TASKS ? Math.ceil(needed.value) : null
  const repetitions = enough === null ? null : Math.max(1, enough - own)
  return {
    difference,
    repetitions,
    tasks,
    sentence: sentenceOf({ difference, repetitions, tasks }),
  }
}

type Design = Omit<PowerDesign, 'repetitionsA' | 'repetitionsB'>

function isFound(design: Design, repetitions: number, difference: number): boolean {
  const found = detectableDifference({
    ...{ ...design, repetitionsA: repetitions, repetitionsB: repetitions },
  })
  return found.ok && found.value <= difference
}

/** More repetitions never find less. */
function findLeast(design: Design, from: number, to: number, difference: number): number {
  let [low, high] = [from, to]
  while (low < high) {
    const middle = Math.floor((low + high) / 2)
    if (isFound(design, middle, difference)) high = middle
    else low = middle + 1
  }
  return low
}

function variancesOf(arm: Row, baseline: Row): typeof ASSUMED_VARIANCES {
  const [a, b] = [estimateVariances(arm.tasks), estimateVariances(baseline.tasks)]
  const between = estimateDifferenceVariance(arm.tasks, baseline.tasks)
  if (!a.ok || !b.ok || !between.ok) return ASSUMED_VARIANCES
  const learned = {
    wSquared: between.value,
    sSquaredA: a.value.sSquared,
    sSquaredB: b.value.sSquared,
  }
  const isFlat = learned.wSquared + learned.sSquaredA + learned.sSquaredB === 0
  return isFlat ? ASSUMED_VARIANCES : learned
}

function sentenceOf({ difference, repetitions, tasks }: Omit<MoreRuns, 'sentence'>): string {
  const points = `${formatDifference(difference)} points`
  const more =
    repetitions === null
      ? 'no number of further repetitions of these tasks would decide'
      : `about ${countOf(repetitions, 'further repetition')} of each task by each arm would decide`
  const others = tasks === null ? '' : `, or ${countOf(tasks, 'task')} at the present repetitions`
  return `If the true difference is ${points}, ${more}${others} (80 % power).`
}
