import { type Answer, answered } from './answer.ts'
import { type CompareVerdict, compareVerdict } from './compare-verdict.ts'
import type { DifferenceTest } from './difference-test.ts'
import { mcNemarDifference } from './mcnemar-difference.ts'
import { pairTasks, type TaskPair } from './pair-tasks.ts'
import { signFlipDifference } from './sign-flip-difference.ts'
import type { TaskTally } from './task-tally.ts'

/** Two rows compared over their common tasks. */
export type PairedDifference = DifferenceTest & {
  alpha: number
  verdict: CompareVerdict
  tasks: { taskId: string; a: number; b: number }[]
  /** Tasks that one row solves more often than not and the other does not, with who solves it. */
  flipped: { taskId: string; solvedBy: 'a' | 'b' }[]
}

/** Two-sided level of a comparison. */
export const COMPARISON_ALPHA = 0.05

/**
 * Paired difference of two rows over their common tasks (statistics.md): exact McNemar with one repetition per task,
 * else the sign-flip permutation test of the task differences. The interval (`boundedDifference`) contains 0 exactly when
 * the verdict is neither better nor worse, and one more success of A never lowers a bound. Refuses rows without a scored or a common task.
 */
export function pairedDifference(
  a: readonly TaskTally[],
  b: readonly TaskTally[],
  alpha = COMPARISON_ALPHA,
): Answer<PairedDifference> {
  const prepared = preparePair(a, b)
  return prepared.ok ? answered(prepared.value(alpha)) : prepared
}

/** The same, made ready to be asked at several levels: many pairs settle their level only when all are tested. */
export function preparePair(
  a: readonly TaskTally[],
  b: readonly TaskTally[],
): Answer<(alpha: number) => PairedDifference> {
  const found = pairTasks(a, b)
  if (!found.ok) return found
  const pairs = found.value
  const isSingle = pairs.every((pair) => pair.a.scored === 1 && pair.b.scored === 1)
  const testAt = isSingle ? mcNemarDifference(pairs) : signFlipDifference(pairs)
  const tasks = pairs.map(taskMeans)
  const flipped = tasks.flatMap(flip)
  return answered((alpha) => {
    const test = testAt(alpha)
    return { ...test, alpha, verdict: compareVerdict(test, alpha), tasks, flipped }
  })
}

function taskMeans({ taskId, a, b }: TaskPair) {
  return { taskId, a: a.solved / a.scored, b: b.solved / b.scored }
}

function flip({ taskId, a, b }: { taskId: string; a: number; b: number }) {
  if (a > 0.5 === b > 0.5) return []
  return [{ taskId, solvedBy: a > b ? ('a' as const) : ('b' as const) }]
}
