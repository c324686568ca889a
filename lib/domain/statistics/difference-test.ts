/** What a test says about the mean difference of task success, A - B. Differences lie in -1 … 1. */
export type DifferenceTest = {
  difference: number
  low: number
  high: number
  p: number
  method: string
  /** Seed of the Monte Carlo patterns; null when the test is exact. */
  seed: number | null
}

/** A test made ready once, whose interval can be asked for at any level: the costly part is not done again. */
export type TestAt = (alpha: number) => DifferenceTest
