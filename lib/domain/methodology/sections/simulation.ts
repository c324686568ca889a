import type { MethodologyInput } from '../methodology-constants.ts'
import { number, percent, type Section, text } from '../methodology-section.ts'

/** What the intervals hold, simulated; the numbers were computed by this code. */
export function simulationSection({ constants }: MethodologyInput): Section {
  const { population, record } = constants.simulation
  const { results, policyVersion } = record
  return {
    id: 'simulation',
    title: 'What the intervals hold',
    blocks: [
      text(
        `Simulated with this very code: a population of ${population.tasks} tasks whose success chances follow ` +
          `Beta(${number(population.shape)}, ${number(population.shape)}); a task is equally hard for both rows with chance ${number(population.shared)}. ` +
          `Both rows are equally good, so every separation is false. An interval should hold the truth in ${percent(constants.confidence)} ` +
          `of the rounds, and equal rows should be told apart in at most ${percent(constants.comparison.alpha)}. Beside it the pooled ` +
          'method, which takes all episodes for independent.',
      ),
      {
        kind: 'table',
        caption: 'Coverage of the row interval and false separation of equal rows',
        head: [
          'Tasks × repetitions',
          'Interval holds the truth',
          'Pooled',
          'Equal rows told apart',
          'Pooled',
          'Rounds',
          'Seed',
        ],
        rows: results.map((result) => [
          `${result.tasks} × ${result.repetitions}`,
          share(result.clusteredCoverage),
          share(result.pooledCoverage),
          share(result.clusteredSeparation),
          share(result.pooledSeparation),
          String(result.rounds),
          String(result.seed),
        ]),
      },
      text(
        `Computed under policy version ${policyVersion} by npm run simulate; a test computes every round again and fails on another number.`,
      ),
    ],
  }
}

/** One decimal: the rounds allow no more. */
function share(value: number): string {
  return `${(100 * value).toFixed(1)} %`
}
