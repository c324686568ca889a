import { countOf } from '../record/index.ts'
import {
  ASSUMED_VARIANCES,
  estimateDifferenceVariance,
  estimateVariances,
  furtherPrice,
  type Looks,
  MOST_NEEDED_REPETITIONS,
  repetitionsNeeded,
  SMALL_DIFFERENCE,
  type TaskCounts,
  wholeTasksNeeded,
} from '../statistics/index.ts'
import type { MoreRuns } from './arms-view.ts'
import { formatDifference, type MeasuredDifference } from './measured-difference.ts'

type Row = {
  tasks: readonly TaskCounts[]
  repetitions: { most: number }
  looks?: Looks | undefined
}

const POWER = 0.8
const MOST_TASKS = 10_000

/**
 * What would decide between an arm and its baseline, at the level of their comparison; null = it is decided. Further
 * repetitions are judged as a second look at the same entries. Variances are those of the two rows, else the planner's
 * assumptions; the power is that of the test that decides.
 */
export function moreRuns(
  [arm, baseline]: readonly [Row, Row],
  { verdict, difference: seen }: Pick<MeasuredDifference, 'verdict' | 'difference'>,
  pairAlpha: number,
): MoreRuns | null {
  if (verdict.kind !== 'cannot-tell') return null
  const difference = Math.max(Math.abs(seen), SMALL_DIFFERENCE / 2)
  const scored = new Set(baseline.tasks.flatMap((task) => (task.scored > 0 ? [task.taskId] : [])))
  const common = arm.tasks.filter((task) => task.scored > 0 && scored.has(task.taskId)).length
  const own = Math.max(1, arm.repetitions.most)
  const design = {
    tasks: common,
    ...variancesOf(arm, baseline),
    alpha: pairAlpha,
    power: POWER,
  }
  const again = { ...design, alpha: pairAlpha / furtherPrice(arm.looks, baseline.looks) }
  const enough = repetitionsNeeded(difference, again, own)
  const needed = wholeTasksNeeded(difference, { ...design, repetitionsA: own, repetitionsB: own })
  const tasks = needed.ok && needed.value <= MOST_TASKS ? Math.max(needed.value, common + 1) : null
  const repetitions = enough === null ? null : enough - own
  return {
    difference,
    repetitions,
    tasks,
    sentence: sentenceOf({ difference, repetitions, tasks }),
  }
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
      ? `even ${MOST_NEEDED_REPETITIONS} repetitions of these tasks would not decide`
      : `about ${countOf(repetitions, 'further repetition')} of each task by each arm would decide`
  const others = tasks === null ? '' : `, or ${countOf(tasks, 'task')} at the present repetitions`
  return `If the true difference is ${points}, ${more}${others} (80 % power).`
}
