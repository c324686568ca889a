import { seededGenerator } from './seeded-generator.ts'

/** Sums this close are ties: the noise of adding doubles. */
const TIE = 1e-11

/**
 * Monte Carlo two-sided sign-flip p of Σd_i: (b+1)/(m+1) with m random patterns from `seed`. Eight signs at a time come
 * from a table of their 256 sums. Signs belong to the position, so pairs over the same tasks see the same patterns.
 */
export function randomSignFlip(
  differences: readonly number[],
  { patterns, seed }: { patterns: number; seed: number },
): number {
  const observed = Math.abs(differences.reduce((sum, value) => sum + value, 0))
  if (observed <= TIE) return 1
  const sums = new Float64Array(patterns)
  for (let from = 0; from < differences.length; from += 8) {
    const table = signedSums(differences.slice(from, from + 8))
    const generator = seededGenerator(seed + from)
    for (let pattern = 0; pattern < patterns; pattern += 4) {
      const word = generator.nextUint32()
      for (let byte = 0; byte < 4 && pattern + byte < patterns; byte++) {
        const signs = (word >>> (8 * byte)) & 255
        sums[pattern + byte] = (sums[pattern + byte] as number) + (table[signs] as number)
      }
    }
  }
  let extreme = 0
  for (const sum of sums) if (Math.abs(sum) >= observed - TIE) extreme++
  return (extreme + 1) / (patterns + 1)
}

/** The sum of up to eight values under each of the 256 sign patterns; a set bit flips. */
function signedSums(values: readonly number[]): Float64Array {
  return Float64Array.from({ length: 256 }, (_, signs) =>
    values.reduce((sum, value, bit) => sum + ((signs >>> bit) & 1 ? -value : value), 0),
  )
}
