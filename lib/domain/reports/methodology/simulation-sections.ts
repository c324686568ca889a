import type { MethodologyConstants, MethodologyInput } from './methodology-constants.ts'
import {
  type Block,
  formula,
  type MethodologySection,
  number,
  paragraph,
  percentText,
} from './methodology-constants.ts'
import { armBlocks } from './simulation-arms.ts'
import { shareOrNone, sizeLabel } from './simulation-words.ts'

/** Simulated coverage of the intervals. */
export function simulationSection({ constants }: MethodologyInput): MethodologySection {
  const { record } = constants.simulation
  return {
    id: 'simulation',
    title: 'Interval coverage',
    blocks: [
      ...rowTables(constants),
      ...differenceTable(constants),
      ...pooledTable(constants),
      paragraph(
        `Computed with policy version ${record.policyVersion} by npm run simulate, which fails if a goal is missed by more than ` +
          'chance explains. A test recomputes part of the table and fails if a number differs.',
      ),
    ],
  }
}

function rowTables({ simulation, confidence }: MethodologyConstants): Block[] {
  const { record, titles } = simulation
  const { means, rows, fewTasks, rounds, seed, goal } = record.coverage
  const populations = [...new Set(rows.map(({ population }) => population))]
  const head = ['Tasks × repetitions, population', ...means.map((mean) => percentText(mean))]
  return [
    paragraph(
      `Simulated with the production code, ${rounds} rounds per cell (seed ${seed}): tasks are drawn from a population and ` +
        `repeated as stated, and the interval should contain the population mean in the column header. For a ${percentText(confidence)} ` +
        `interval the goal is ${percentText(goal)} or more in every cell. The mean width in points is in parentheses.`,
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
    ...shown('Similar tasks: the interval of the board.', head, rows, held('coverage', 'width')),
    ...shown('The same with few tasks, without a goal.', head, fewTasks, held('coverage', 'width')),
    ...shown(
      'These tasks only: how often the interval contained the mean of the drawn tasks.',
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
    ...means.map(([a, b]) => `${percentText(a as number)} vs. ${percentText(b as number)}`),
    ...equal.map(({ mean }) => `Equal at ${percentText(mean as number)}`),
  ]
  return [
    paragraph(
      `Two entries on the same tasks; with probability ${number(shared)} a task has the same difficulty rank for both entries, ` +
        `otherwise it is drawn independently. The last columns show how often equal entries were called different, at most ${percentText(alpha)}.`,
    ),
    ...shown(
      'Differences: how often the interval contained the true difference.',
      head,
      rows,
      (row) => [
        ...held('coverage', 'width')(row),
        ...equal.map(({ index }) => share(row.falsePositive[index] ?? 0)),
      ],
    ),
  ]
}

function pooledTable({ simulation, comparison }: MethodologyConstants): Block[] {
  const { population, record } = simulation
  return [
    paragraph(
      `The effect of using the task as the unit: a population of ${population.tasks} tasks with success probabilities from ` +
        `Beta(${number(population.shape)}, ${number(population.shape)}) and two equally good entries; a task is equally hard for both with ` +
        `probability ${number(population.shared)}. Equal entries should be called different in at most ${percentText(comparison.alpha)} of the ` +
        'rounds. The pooled method treats all episodes as independent.',
    ),
    {
      kind: 'table',
      caption: 'Interval coverage and false differences between equal entries',
      head: [
        'Tasks × repetitions',
        'Coverage',
        'Coverage, pooled',
        'False differences',
        'False differences, pooled',
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
  return [paragraph(caption), { kind: 'table', caption, head, rows: lines }]
}

/** `97.5 % (30)`: coverage and mean width in points. */
function held<Name extends string, Width extends string>(name: Name, width: Width) {
  return (row: Record<Name | Width, readonly number[]>): string[] =>
    row[name].map(
      (value, index) => `${share(value)} (${(100 * (row[width][index] ?? 0)).toFixed(0)})`,
    )
}

function sizeOf({ tasks, repetitions }: Pick<Sized, 'tasks' | 'repetitions'>): string {
  return `${tasks} × ${repetitions}`
}

/** One decimal, as precise as the rounds allow. */
function share(value: number): string {
  return `${(100 * value).toFixed(1)} %`
}

type Errors = MethodologyInput['constants']['errors']

/** Error rates of verdicts, rank ranges, plans and interim analyses, with simulation results. */
export function errorsSection({ constants }: MethodologyInput): MethodologySection {
  const { errors, ranking } = constants
  return {
    id: 'errors',
    title: 'Error control',
    blocks: [
      paragraph(
        `The family-wise error rate is controlled in the strong sense: the probability of any false “better” or “worse” on ` +
          `a board or in one comparison is at most ${percentText(ranking.alpha)}, whichever entries are truly equal. Rank ranges follow ` +
          `from the same verdicts, so all rank ranges of a board are correct simultaneously in at least ${percentText(errors.goals.setsHold)}. ` +
          'Simulated with the code that ranks real boards. The Benjamini–Hochberg column shows the errors if only the false discovery rate were controlled.',
      ),
      boardTable(errors),
      ...planBlocks(errors),
      ...lookBlocks(errors),
      ...armBlocks(errors),
      paragraph(
        `Computed with policy version ${errors.record.policyVersion} by npm run simulate, which fails if a goal is missed.`,
      ),
    ],
  }
}

function boardTable({ record }: Errors): Block {
  return {
    kind: 'table',
    caption: 'Simulated boards of eight entries',
    head: [
      'Entries',
      'Tasks × repetitions',
      'All rank ranges correct',
      'Any false verdict',
      'Any false verdict, Benjamini–Hochberg',
      'True differences detected',
      'Boards',
    ],
    rows: record.boards.map((one) => [
      one.name,
      sizeLabel(one),
      shareOrNone(one.setsHold),
      shareOrNone(one.anyFalse),
      shareOrNone(one.anyFalseByFdr),
      shareOrNone(one.found),
      String(one.rounds),
    ]),
  }
}

function planBlocks({ goals, record }: Errors): Block[] {
  return [
    paragraph(
      `Power at the planner’s detectable difference, simulated with independent random numbers; it should be between ` +
        `${percentText(goals.power.from)} and ${percentText(goals.power.to)}. In a larger pool the correction is stricter, so the detectable difference is larger.`,
    ),
    {
      kind: 'table',
      caption: 'Power of plans',
      head: [
        'Tasks × repetitions',
        'Ranked entries in the pool',
        'Detectable difference',
        'Power',
        'Rounds',
      ],
      rows: record.plans.map((one) => [
        sizeLabel(one),
        String(one.poolRows),
        shareOrNone(one.detectable),
        shareOrNone(one.power),
        String(one.rounds),
      ]),
    },
  ]
}

function lookBlocks({ goals, record, prices: [once, twice] }: Errors): Block[] {
  return [
    paragraph(LOOKS),
    formula('α_{k} = α / (k (k + 1))'),
    paragraph(
      `After one top-up, p-values of an entry are multiplied by ${once}, after a second by ${twice}. In the simulation two equal ` +
        'entries are analysed repeatedly. The last columns show how often any analysis called them different, ' +
        `which should be at most ${percentText(goals.looks)}.`,
    ),
    {
      kind: 'table',
      caption: 'Interim analyses of two equal entries',
      head: [
        'Tasks × repetitions',
        'Analyses',
        'Design',
        'False differences, uncorrected',
        'False differences, corrected',
        'Rounds',
      ],
      rows: record.looks.map((one) => [
        sizeLabel(one),
        String(one.looks),
        one.kind === 'watched'
          ? 'one plan, analysed while running'
          : `topped up by ${one.step} each time`,
        shareOrNone(one.plain),
        shareOrNone(one.judged),
        String(one.rounds),
      ]),
    },
  ]
}

const LOOKS =
  'The plan fixes the number of episodes before the first one. A finished plan is one analysis, even if it was watched, also ' +
  'after a top-up that only replaces excluded or missing episodes. A later plan that adds samples is an interim analysis, and ' +
  'every planned episode of an unfinished plan can be one. Entries with interim analyses are marked, and their intervals and ' +
  'tests are always-valid. A finished first plan is judged at α. Analysis k of a later plan, and of an unfinished one, has the ' +
  'level below, divided by the number of planned episodes while the plan is unfinished: so little that all analyses together ' +
  'stay near α, as the simulation shows.'
