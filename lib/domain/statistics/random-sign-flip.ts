import { seededGenerator } from './seeded-generator.ts'

/** Sums this close are ties: the noise of adding doubles. */
const TIE = 1e-11

/** Random signs of m patterns: for each block of eight tasks one byte a pattern, made once and then kept. */
export type SignPatterns = { patterns: number; seed: number; block: (index: number) => Uint8Array }

/** Draws sign patterns from a seed, lazily: signs belong to the task's position, whatever the other tasks are. */
export function signPatterns(patterns: number, seed: number): SignPatterns {
  const blocks: Uint8Array[] = []
  const block = (index: number) => {
    const known = blocks[index]
    if (known) return known
    const generator = seededGenerator(seed + index)
    const words = Uint32Array.from({ length: Math.ceil(patterns / 4) }, generator.nextUint32)
    const bytes = new Uint8Array(patterns)
    bytes.forEach((_, pattern) => {
      bytes[pattern] = ((words[pattern >> 2] as number) >>> (8 * (pattern & 3))) & 255
    })
    blocks[index] = bytes
    return bytes
  }
  return { patterns, seed, block }
}

/**
 * Monte Carlo two-sided sign-flip p of Σd_i: (b+1)/(m+1) with m random patterns. Eight signs at a time are looked up in
 * a table of their 256 sums.
 */
export function randomSignFlip(differences: readonly number[], signs: SignPatterns): number {
  const observed = Math.abs(differences.reduce((sum, value) => sum + value, 0))
  if (observed <= TIE) return 1
  const { patterns } = signs
  const sums = new Float64Array(patterns)
  for (let from = 0; from < differences.length; from += 8) {
    const table = signedSums(differences.slice(from, from + 8))
    const bytes = signs.block(from / 8)
    for (let pattern = 0; pattern < patterns; pattern++) {
      sums[pattern] = (sums[pattern] as number) + (table[bytes[pattern] as number] as number)
    }
  }
  let extreme = 0
  for (let pattern = 0; pattern < patterns; pattern++) {
    if (Math.abs(sums[pattern] as number) >= observed - TIE) extreme++
  }
  return (extreme + 1) / (patterns + 1)
}

/** The sum of up to eight values under each of the 256 sign patterns; a set bit flips. */
function signedSums(values: readonly number[]): Float64Array {
  const table = new Float64Array(256)
  let sum = 0
  for (const value of values) sum += value
  table[0] = sum
  for (let signs = 1; signs < 256; signs++) {
    const bit = 31 - Math.clz32(signs & -signs)
    table[signs] = (table[signs & (signs - 1)] as number) - 2 * (values[bit] ?? 0)
  }
  return table
}
