import { POLICY } from '#lib/domain/eligibility/index.ts'
import { groupBy } from '#lib/domain/record/index.ts'

/** Limits of the number of runs with altered tests: seven tests need two runs, three tests need nine. */
export const [MIN_RUNS, MAX_RUNS] = [2, 9]
/** Number of runs for a task that cannot be ranked with any number of runs. */
const DEFAULT_RUNS = 3

/**
 * Returns the number of runs with altered tests after which a guess is unlikely enough to be ranked. `values` = the
 * number of values that each test can show; `deciding` = the number of tests that fail without any work, at worst those
 * with the fewest values.
 */
export function runsFor(values: readonly number[], deciding = values.length): number {
  if (Math.min(values.length, deciding) === 0) return 0
  const fewest = fewestOf(values, deciding)
  for (let runs = MIN_RUNS; runs <= MAX_RUNS; runs++)
    if (chanceOf(fewest.map((max) => Math.min(max, runs + 1))) <= POLICY.mostGuess) return runs
  return DEFAULT_RUNS
}

/** Lower bound of the probability of a guess, whatever is drawn. */
export function leastGuess(values: readonly number[]): number {
  return chanceOf(values.map((max) => Math.min(max, runsFor(values) + 1)))
}

/** Probability of being right in all of these choices. */
export function chanceOf(choices: readonly number[]): number {
  return choices.reduce((chance, one) => chance / one, 1)
}

/** The runs in which a test was altered, or in which the reference does not pass it. */
export type Pattern = readonly boolean[]

/**
 * Returns the probability that work which passes none of the deciding tests guesses them all. An altered test counts if
 * the reference shows its pattern for a deciding name. Of tests with the same pattern, those with the fewest choices
 * count.
 */
export function guessOf(
  tests: readonly { changed: Pattern; choices: number }[],
  deciding: readonly Pattern[],
): number {
  return chanceOf(countedOf(tests, deciding).map(({ choices }) => choices))
}

/** Returns the tests that count. */
export function countedOf<T extends { changed: Pattern; choices: number }>(
  tests: readonly T[],
  deciding: readonly Pattern[],
): T[] {
  const names = groupBy(deciding, keyOf)
  const changed = groupBy(tests, (test) => keyOf(test.changed))
  return [...changed].flatMap(([pattern, own]) =>
    pattern.includes('x')
      ? [...own].sort((a, b) => a.choices - b.choices).slice(0, names.get(pattern)?.length ?? 0)
      : [],
  )
}

const keyOf = (pattern: Pattern) => pattern.map((one) => (one ? 'x' : '-')).join('')

const fewestOf = (values: readonly number[], count: number) =>
  [...values].sort((a, b) => a - b).slice(0, count)
