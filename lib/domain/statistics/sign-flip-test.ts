import { type DifferenceLattice, differenceLattice, type MeanPair } from './difference-lattice.ts'
import { enumeratedSignFlip, MOST_ENUMERATED_TASKS } from './enumerated-sign-flip.ts'
import { exactSignFlip } from './exact-sign-flip.ts'
import { randomSignFlip, type SignPatterns, signPatterns } from './random-sign-flip.ts'

export const SIGN_FLIP_SEED = 20_261_121
/** The random patterns of a pair whose patterns cannot all be counted. */
export const RANKING_PATTERNS = { patterns: 9_999, seed: SIGN_FLIP_SEED }
/** Additions that one exact test may cost; about a tenth of a millisecond. */
export const MOST_EXACT_WORK = 2 ** 17

/** A permutation p-value and how it was come by; `seed` is null when every pattern was counted. */
export type SignFlipResult = { p: number; seed: number | null }

/**
 * Two-sided paired sign-flip test of equal mean task success, without its interval: for ranking many pairs.
 * Exact whenever the differences have a workable common step or at most 20 tasks differ; else seeded Monte Carlo.
 * Callers that test many pairs hand over one set of `signs` (see `rankingSigns`), so that it is drawn once.
 */
export function signFlipTest(
  pairs: readonly MeanPair[],
  signs: SignPatterns = rankingSigns(),
): SignFlipResult {
  const lattice: DifferenceLattice | null = differenceLattice(pairs)
  const exact = lattice && exactSignFlip(lattice.units, MOST_EXACT_WORK)
  if (exact !== null) return { p: exact, seed: null }
  const differences = pairs.map(({ a, b }) => a.solved / a.scored - b.solved / b.scored)
  const differing = differences.filter((value) => value !== 0).length
  if (differing <= MOST_ENUMERATED_TASKS) return { p: enumeratedSignFlip(differences), seed: null }
  return { p: randomSignFlip(differences, signs), seed: signs.seed }
}

/** The random patterns of `signFlipTest`; drawn only when they are needed. */
export function rankingSigns(): SignPatterns {
  return signPatterns(RANKING_PATTERNS.patterns, RANKING_PATTERNS.seed)
}
