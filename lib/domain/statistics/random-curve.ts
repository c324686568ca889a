import { countAtMost } from './enumerated-curve.ts'
import { seededGenerator } from './seeded-generator.ts'

const TIE = 1e-12

/**
 * Monte Carlo p-values of the sign-flip test for every delta, (b+1)/(m+1), all from the same m random patterns: so the
 * test and the interval that inverts it cannot disagree.
 */
export function randomCurve(
  differences: readonly number[],
  { patterns, seed }: { patterns: number; seed: number },
): (delta: number) => number {
  const centre = differences.reduce((sum, value) => sum + value, 0) / differences.length
  const generator = seededGenerator(seed)
  const lower = new Float64Array(patterns)
  const upper = new Float64Array(patterns)
  for (let pattern = 0; pattern < patterns; pattern++) {
    const { inside, outside } = splitMeans(differences, generator.nextUint32)
    lower[pattern] = Math.min(inside, outside)
    upper[pattern] = Math.max(inside, outside)
  }
  lower.sort()
  upper.sort()
  return (delta) => {
    if (Math.abs(delta - centre) <= TIE) return 1
    const beyond =
      delta < centre ? countAtMost(lower, delta + TIE) : patterns - countAtMost(upper, delta - TIE)
    return (beyond + 1) / (patterns + 1)
  }
}

/** Means over a random half of the tasks and over the others; NaN-free: all or none flipped is always extreme. */
function splitMeans(differences: readonly number[], nextUint32: () => number) {
  let [sum, size, total, word] = [0, 0, 0, 0]
  for (let index = 0; index < differences.length; index++) {
    if (index % 32 === 0) word = nextUint32()
    const value = differences[index] as number
    total += value
    if ((word >>> (index % 32)) & 1) {
      sum += value
      size++
    }
  }
  if (size === 0 || size === differences.length) {
    return { inside: Number.NEGATIVE_INFINITY, outside: Number.POSITIVE_INFINITY }
  }
  return { inside: sum / size, outside: (total - sum) / (differences.length - size) }
}
