import { type DifferenceLattice, differenceLattice, type MeanPair } from './difference-lattice.ts'
import { enumeratedCurve } from './enumerated-curve.ts'
import { MOST_ENUMERATED_TASKS } from './enumerated-sign-flip.ts'
import { MOST_LATTICE_TASKS } from './exact-sign-flip.ts'
import { latticeCurve, latticeCurveWork } from './lattice-curve.ts'
import { randomCurve } from './random-curve.ts'
import { SIGN_FLIP_SEED } from './sign-flip-test.ts'

/** The two-sided p-value of "the mean difference is delta", for every delta: rises to 1 at the mean, then falls. */
export type SignFlipCurve = {
  pAt: (delta: number) => number
  /** Null when every pattern was counted. */
  seed: number | null
  method: string
}

/**
 * Additions that one exact curve may cost when rows differ as much as they can; most cost a third, some 50 ms. What was
 * solved has no say, so that one more success never changes how it is counted.
 */
const MOST_WORK = 1.5e8
export const RANDOM_CURVE = { patterns: 99_999, seed: SIGN_FLIP_SEED }

/** How the test was made, in words. */
export const SIGN_FLIP_METHODS = {
  exact: 'exact sign-flip permutation',
  random: ({ patterns, seed }: typeof RANDOM_CURVE) =>
    `sign-flip permutation, ${patterns} random patterns, seed ${seed}`,
}

/**
 * p-values of the sign-flip test of d_i - delta. A pattern that flips the tasks F is as extreme as the data exactly
 * when the mean over F or over the others lies beyond delta (Hartigan 1969), so means over subsets are all one needs.
 * Exact by counting where the differences have a workable common step or for up to 20 tasks, else seeded Monte Carlo.
 */
export function signFlipCurve(pairs: readonly MeanPair[]): SignFlipCurve {
  const lattice: DifferenceLattice | null = differenceLattice(pairs)
  if (
    lattice &&
    pairs.length <= MOST_LATTICE_TASKS &&
    latticeCurveWork(pairs.length, lattice.finest) <= MOST_WORK
  ) {
    return { pAt: latticeCurve(lattice), seed: null, method: SIGN_FLIP_METHODS.exact }
  }
  const differences = pairs.map(({ a, b }) => a.solved / a.scored - b.solved / b.scored)
  if (pairs.length <= MOST_ENUMERATED_TASKS) {
    return { pAt: enumeratedCurve(differences), seed: null, method: SIGN_FLIP_METHODS.exact }
  }
  const pAt = randomCurve(differences, RANDOM_CURVE)
  return { pAt, seed: RANDOM_CURVE.seed, method: SIGN_FLIP_METHODS.random(RANDOM_CURVE) }
}
