// Constants shared by `npm run simulate` and the methodology page.

/**
 * A population of task difficulties: Beta(shape, shape), with many tasks nearly always or nearly never solved; mean
 * 1/2. `shared`: probability that a task is equally hard for both rows; otherwise their success probabilities are
 * independent.
 */
export const SIMULATED_POPULATION = { tasks: 1000, shape: 0.6, shared: 1 / 3 }

/** Simulated populations of tasks, by how their success probabilities spread around a mean. */
export const POPULATION_TITLES = {
  'u-shaped': 'U-shaped: most tasks almost always or almost never solved',
  mild: 'Mild: success probabilities spread around the mean',
  certain: 'Every task always or never solved',
  'rare-hard': 'Nine in ten tasks easy, one in ten hard',
  'rare-easy': 'Nine in ten tasks hard, one in ten easy',
  equal: 'All tasks equally hard',
} as const
export type TaskPopulation = keyof typeof POPULATION_TITLES

/** The data of the tables; shares are in 0–1. */
export const ERROR_GOALS = {
  setsHold: 0.95,
  anyFalse: 0.05,
  power: { from: 0.78, to: 0.82 },
  looks: 0.05,
  /** Share of A/A experiments with any verdict. */
  arms: 0.05,
}

/** Goals for stopped plans and for boards in worlds that the tests do not assume; shares are in 0–1. */
export const STOP_GOALS: {
  wrong: number
  /** Median share of planned episodes, by world. */
  medians: Partial<Record<string, number>>
  theseTasks: number
  similar: number
  coverage: number
  /** Coverage of rates that are partly predicted by the model of tasks. */
  modelled: number
} = {
  wrong: 0.05,
  medians: { better: 0.5, 'drawn-better': 0.5, equal: 0.6, drawn: 0.6, coins: 0.6 },
  theseTasks: 0.05,
  similar: 0.05,
  coverage: 0.94,
  modelled: 0.94,
}
