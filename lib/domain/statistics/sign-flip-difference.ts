import type { TestAt } from './difference-test.ts'
import { invertTest } from './invert-test.ts'
import type { TaskPair } from './pair-tasks.ts'
import { clopperPearsonInterval, type Interval } from './proportion-interval.ts'
import { signFlipCurve } from './sign-flip-curve.ts'

/** Added to the test's method where all task differences are equal; `tasks` may be a letter. */
export function equalDifferencesNote(tasks: number | string): string {
  return `; all task differences equal, so Clopper–Pearson bound on ${tasks} tasks`
}

/**
 * Sign-flip permutation test of the task differences with the interval that inverts it. Where all differences are
 * equal, the test knows no spread and would claim a single point: then the Clopper–Pearson bound on T tasks says how
 * many unseen tasks may differ, without crossing zero when the test is significant.
 */
export function signFlipDifference(pairs: readonly TaskPair[]): TestAt {
  const differences = pairs.map(({ a, b }) => a.solved / a.scored - b.solved / b.scored)
  const difference = differences.reduce((sum, value) => sum + value, 0) / differences.length
  const { pAt, seed, method } = signFlipCurve(pairs)
  const p = pAt(0)
  const isEqual = differences.every((value) => value === differences[0])
  const equal = differences[0] ?? 0
  const note = method + equalDifferencesNote(pairs.length)
  return (alpha) => {
    if (isEqual && (difference === 0 || p <= alpha)) {
      const interval = equalInterval(equal, pairs.length, alpha)
      return { difference, ...interval, p, method: note, seed }
    }
    const interval = invertTest(pAt, difference, alpha)
    return { difference, ...interval, p, method: `${method} over ${pairs.length} tasks`, seed }
  }
}

/** At least a share `sure` of all tasks shows the one difference seen; the others may show any, or none. */
function equalInterval(difference: number, tasks: number, alpha: number): Interval {
  const bound = clopperPearsonInterval(tasks, tasks, 1 - alpha)
  const sure = bound.ok ? bound.value.low : 0
  const near = difference * sure
  const far = near + Math.sign(difference) * (1 - sure)
  if (difference === 0) return { low: sure - 1, high: 1 - sure }
  return difference > 0
    ? { low: near, high: Math.min(1, far) }
    : { low: Math.max(-1, far), high: near }
}
