import type { MethodologyConstants, MethodologyInput } from '../methodology-constants.ts'
import { type Block, number, percent, type Section, text } from '../methodology-section.ts'

/** What the intervals hold, simulated; the numbers were computed by this code. */
export function simulationSection({ constants }: MethodologyInput): Section {
  const { record } = constants.simulation
  return {
    id: 'simulation',
    title: 'What the intervals hold',
    blocks: [
      ...rowTables(constants),
      ...differenceTable(constants),
      ...pooledTable(constants),
      text(
        `Computed under policy version ${record.policyVersion} by npm run simulate, which fails where a goal is missed beyond ` +
          'what chance leaves; a test computes a part of it again and fails on another number.',
      ),
    ],
  }
}

function rowTables({ simulation, confidence }: MethodologyConstants): Block[] {
  const { record, titles } = simulation
  const { means, rows, fewTasks, rounds, seed, goal } = record.coverage
  const populations = [...new Set(rows.map(({ population }) => population))]
  const head = ['Tasks × repetitions, population', ...means.map((mean) => percent(mean))]
  return [
    text(
      `Simulated with this very code, ${rounds} rounds a cell (seed ${seed}): tasks are drawn from a population, each is tried ` +
        `as often as said, and the interval should hold the population’s mean, which heads the column. It is a ${percent(confidence)} ` +
        `interval; the goal is ${percent(goal)} or more in every cell. Beside it, in parentheses, how wide it was in points.`,
    ),
    {
      kind: 'terms',
      items: populations.map((population) => ({
        id: `population-${population}`,
        term: population,
        text: titles[population] ?? population,
        mark: null,
      })),
    },
    ...shown('Tasks like these: the interval of the board.', head, rows, held('coverage', 'width')),
    ...shown(
      'The same with few tasks: shown, without a goal.',
      head,
      fewTasks,
      held('coverage', 'width'),
    ),
    ...shown(
      'These tasks: how often the interval held the mean of just the tasks drawn.',
      head,
      rows,
      held('theseTasksCoverage', 'theseTasksWidth'),
    ),
    ...shown(
      'For comparison, not used here: the t interval over task means.',
      head,
      rows,
      held('tCoverage', 'tWidth'),
    ),
  ]
}

function differenceTable({ simulation: { record } }: MethodologyConstants): Block[] {
  const { means, rows, shared, alpha } = record.differences
  const equal = means.flatMap(([a, b], index) => (a === b ? [{ mean: a, index }] : []))
  const head = [
    'Tasks × repetitions, population',
    ...means.map(([a, b]) => `${percent(a as number)} v ${percent(b as number)}`),
    ...equal.map(({ mean }) => `Equal at ${percent(mean as number)}`),
  ]
  return [
    text(
      `Two rows on the same tasks; with chance ${number(shared)} a task stands at the same place of both rows’ order of ` +
        `difficulty, else it is drawn apart. The last columns: how often equal rows were called different, at most ${percent(alpha)}.`,
    ),
    ...shown('Differences: how often the interval held the true one.', head, rows, (row) => [
      ...held('coverage', 'width')(row),
      ...equal.map(({ index }) => share(row.falsePositive[index] ?? 0)),
    ]),
  ]
}

function pooledTable({ simulation, comparison }: MethodologyConstants): Block[] {
  const { population, record } = simulation
  return [
    text(
      `What taking the task as the unit is worth: a population of ${population.tasks} tasks whose success chances follow ` +
        `Beta(${number(population.shape)}, ${number(population.shape)}), two equally good rows, a task equally hard for both with chance ` +
        `${number(population.shared)}. Equal rows should be told apart in at most ${percent(comparison.alpha)} of the rounds. Beside it the ` +
        'pooled method, which takes all episodes for independent.',
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
      rows: record.results.map((result) => [
        sizeOf(result),
        share(result.clusteredCoverage),
        share(result.pooledCoverage),
        share(result.clusteredSeparation),
        share(result.pooledSeparation),
        String(result.rounds),
        String(result.seed),
      ]),
    },
  ]
}

type Sized = { tasks: number; repetitions: number; population: string }

/** A table under the sentence that names it. */
function shown<T extends Sized>(
  caption: string,
  head: string[],
  rows: readonly T[],
  cells: (row: T) => string[],
): Block[] {
  const lines = rows.map((row) => [`${sizeOf(row)}, ${row.population}`, ...cells(row)])
  return [text(caption), { kind: 'table', caption, head, rows: lines }]
}

/** `97.5 % (30)`: how often the interval held, and its mean width in points. */
function held<Name extends string, Width extends string>(name: Name, width: Width) {
  return (row: Record<Name | Width, readonly number[]>): string[] =>
    row[name].map(
      (value, index) => `${share(value)} (${(100 * (row[width][index] ?? 0)).toFixed(0)})`,
    )
}

function sizeOf({ tasks, repetitions }: Pick<Sized, 'tasks' | 'repetitions'>): string {
  return `${tasks} × ${repetitions}`
}

/** One decimal: the rounds allow no more. */
function share(value: number): string {
  return `${(100 * value).toFixed(1)} %`
}
