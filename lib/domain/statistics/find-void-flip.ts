import { pairTasks } from './pair-tasks.ts'
import { signFlipTest } from './sign-flip-test.ts'
import type { TaskTally } from './task-tally.ts'
import { readVoids, type VoidReading } from './void-sensitivity.ts'

const BOUNDS: readonly VoidReading[] = ['allFailed', 'allSolved']

/**
 * The reading of a row's void episodes (all failed, all solved) under which its verdict against another row turns out
 * differently than without them; null when neither does. The other row is taken at its scored episodes.
 */
export function findVoidFlip(
  own: readonly TaskTally[],
  other: readonly TaskTally[],
  alpha = 0.05,
): VoidReading | null {
  const rival = readVoids(other, 'excluded')
  const plain = direction(readVoids(own, 'excluded'), rival, alpha)
  return (
    BOUNDS.find((reading) => direction(readVoids(own, reading), rival, alpha) !== plain) ?? null
  )
}

/** 1 better, -1 worse, 0 not separable. */
function direction(a: readonly TaskTally[], b: readonly TaskTally[], alpha: number): number {
  const pairs = pairTasks(a, b)
  if (!pairs.ok || signFlipTest(pairs.value).p > alpha) return 0
  return Math.sign(
    pairs.value.reduce(
      (sum, pair) => sum + pair.a.solved / pair.a.scored - pair.b.solved / pair.b.scored,
      0,
    ),
  )
}
