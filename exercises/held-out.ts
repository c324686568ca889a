// Types for `.meta/held-out.ts`: a scenario that calls a solution and records the results. It is played twice with the
// same seed, once against the solution and once against the reference, in different processes. A third process compares
// the two transcripts. The seed is new for every attempt, so results cannot be memorised.

/** Random values of one seed: the same seed gives the same values in the same order. */
export type Random = {
  /** A whole number from `least` to `most`, both included. */
  int(least: number, most: number): number
  /** True with probability `share` (0 to 1). */
  chance(share: number): boolean
  pick<T>(list: readonly T[]): T
  shuffle<T>(list: readonly T[]): T[]
  /** A list of `least` to `most` elements, made one after the other. */
  list<T>(least: number, most: number, make: (index: number) => T): T[]
  /** A text of `least` to `most` characters of `alphabet`. */
  text(alphabet: string, least: number, most: number): string
}

/** Returns what of an error is compared, besides the fact that it was thrown; only what the instructions require. */
export type DescribeError = (error: unknown) => unknown

export type ScenarioContext = {
  random: Random
  /** Records a value. Key order, undefined properties, classes and -0 do not count; NaN, Map, Set, Date and bigint do. */
  record(label: string, value: unknown): void
  /** Calls `run` and records what it returned or that it threw. Returns its result. */
  attempt<T>(label: string, run: () => T, describeError?: DescribeError): T | undefined
  /** Records how a promise settled. Waits for it. */
  settle<T>(
    label: string,
    run: () => T | PromiseLike<T>,
    describeError?: DescribeError,
  ): Promise<T | undefined>
  /** Runs pending microtasks and everything else that needs no timer. */
  flush(): Promise<void>
}

/** The default export of `.meta/held-out.ts` is named `scenario`. It imports the solution as the visible tests do. */
export type Scenario = (context: ScenarioContext) => void | Promise<void>
