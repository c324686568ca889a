import { boundedDifference } from './bounded-difference.ts'
import type { TestAt } from './difference-test.ts'
import { invertTest } from './invert-test.ts'
import type { TaskPair } from './pair-tasks.ts'
import { signFlipCurve } from './sign-flip-curve.ts'

/**
 * Sign-flip permutation test of the task differences with its interval: `boundedDifference`, which takes from the
 * inverted test on which side of zero it lies.
 */
export function signFlipDifference(pairs: readonly TaskPair[]): TestAt {
  const differences = pairs.map(({ a, b }) => a.solved / a.scored - b.solved / b.scored)
  const difference = differences.reduce((sum, value) => sum + value, 0) / differences.length
  const { pAt, seed, method } = signFlipCurve(pairs)
  const p = pAt(0)
  const words = `${method} over ${pairs.length} tasks`
  return (alpha) => {
    const tested = () => invertTest(pAt, difference, alpha)
    const interval = boundedDifference({ differences, p, alpha, tested })
    return { difference, ...interval, p, method: words, seed }
  }
}
