import { POLICY } from '#lib/domain/eligibility/index.ts'
import { groupBy } from '#lib/domain/record/index.ts'

/** Runs with changed tests: so few are enough for seven tests, and no more are made for a task with two. */
export const [MIN_RUNS, MAX_RUNS] = [2, 9]
/** Where no number of runs is enough to rank a task, it is judged by so many. */
const DEFAULT_RUNS = 3

/**
 * How many runs with changed tests make a guess unlikely enough to be ranked. `values` = between how many values each
 * test can make one choose, of which a work has to lie about `deciding`: at worst those with the fewest.
 */
export function runsFor(values: readonly number[], deciding = values.length): number {
  if (Math.min(values.length, deciding) === 0) return 0
  const fewest = fewestOf(values, deciding)
  for (let runs = MIN_RUNS; runs <= MAX_RUNS; runs++)
    if (chanceOf(fewest.map((most) => Math.min(most, runs + 1))) <= POLICY.mostGuess) return runs
  return DEFAULT_RUNS
}

/** The chance that a guess has at least, whatever is drawn. */
export function leastGuess(values: readonly number[]): number {
  return chanceOf(values.map((most) => Math.min(most, runsFor(values) + 1)))
}

/** The chance to be right in all of these choices. */
export function chanceOf(choices: readonly number[]): number {
  return choices.reduce((chance, one) => chance / one, 1)
}

/** Who sees a pattern: in which runs a test was changed, or is not reported as passed by the reference. */
export type Pattern = readonly boolean[]

/**
 * The chance that work which passes none of the deciding tests guesses every answer: of the tests that were changed, those count
 * whose pattern the reference shows for a deciding name, and at worst those with the fewest choices.
 */
export function guessOf(
  tests: readonly { changed: Pattern; choices: number }[],
  deciding: readonly Pattern[],
): number {
  return chanceOf(countedOf(tests, deciding).map(({ choices }) => choices))
}

/** The tests that count. */
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
