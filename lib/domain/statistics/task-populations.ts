import { betaQuantile } from './beta-quantile.ts'

const SIZE = 1000

/** Populations of tasks, by how success chances of one mean spread over them; the hard ones for an interval are all here. */
export const TASK_POPULATIONS = {
  'u-shaped': {
    title: 'U-shaped: most tasks nearly always or nearly never solved',
    chance: (u: number, mean: number) => betaQuantile(u, 1.2 * mean, 1.2 * (1 - mean)),
  },
  mild: {
    title: 'Mild: chances spread around the mean',
    chance: (u: number, mean: number) => betaQuantile(u, 8 * mean, 8 * (1 - mean)),
  },
  certain: {
    title: 'Every task always or never solved',
    chance: (u: number, mean: number) => (u < 1 - mean ? 0 : 1),
  },
  'rare-hard': {
    title: 'Nine in ten tasks easy, one in ten hard',
    chance: rareHard,
  },
  'rare-easy': {
    title: 'Nine in ten tasks hard, one in ten easy',
    chance: (u: number, mean: number) => 1 - rareHard(1 - u, 1 - mean),
  },
  equal: { title: 'All tasks equally hard', chance: (_: number, mean: number) => mean },
} as const
export type TaskPopulation = keyof typeof TASK_POPULATIONS

/** Success chances of the population's tasks, least first. `mean` 0–1, met but for the last digits. */
export function populationChances(population: TaskPopulation, mean: number): number[] {
  const { chance } = TASK_POPULATIONS[population]
  return Array.from({ length: SIZE }, (_, index) => chance((index + 0.5) / SIZE, mean))
}

/** One task in ten as hard as the mean allows, the others alike. */
function rareHard(u: number, mean: number): number {
  const share = 0.1
  const hard = Math.max(0, (mean - (1 - share)) / share)
  return u < share ? hard : (mean - share * hard) / (1 - share)
}
