import type { MethodologyConstants, MethodologyInput } from './methodology-constants.ts'
import {
  type Block,
  formula,
  type MethodologySection,
  number,
  percentText,
  text,
} from './methodology-constants.ts'

/** What the intervals hold, simulated; the numbers were computed by this code. */
export function simulationSection({ constants }: MethodologyInput): MethodologySection {
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
  const head = ['Tasks × repetitions, population', ...means.map((mean) => percentText(mean))]
  return [
    text(
      `Simulated with this very code, ${rounds} rounds a cell (seed ${seed}): tasks are drawn from a population, each is tried ` +
        `as often as said, and the interval should hold the population’s mean, which heads the column. It is a ${percentText(confidence)} ` +
        `interval; the goal is ${percentText(goal)} or more in every cell. Beside it, in parentheses, how wide it was in points.`,
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
    ...means.map(([a, b]) => `${percentText(a as number)} v ${percentText(b as number)}`),
    ...equal.map(({ mean }) => `Equal at ${percentText(mean as number)}`),
  ]
  return [
    text(
      `Two rows on the same tasks; with chance ${number(shared)} a task stands at the same place of both rows’ order of ` +
        `difficulty, else it is drawn apart. The last columns: how often equal rows were called different, at most ${percentText(alpha)}.`,
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
        `${number(population.shared)}. Equal rows should be told apart in at most ${percentText(comparison.alpha)} of the rounds. Beside it the ` +
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

type Errors = MethodologyInput['constants']['errors']

/** Which errors verdicts, rank sets, plans and looks control, and what simulation shows of each. */
export function errorsSection({ constants }: MethodologyInput): MethodologySection {
  const { errors, ranking } = constants
  return {
    id: 'errors',
    title: 'Errors that are controlled',
    blocks: [
      text(
        `Controlled is the family-wise error in the strong sense: the probability of even one false “better” or “worse” on ` +
          `a board, or in one comparison, is at most ${percentText(ranking.alpha)}, whichever rows are truly equal. Rank sets follow ` +
          `from the same verdicts, so all rank sets of a board hold together with at least ${percentText(errors.goals.setsHold)}. Simulated ` +
          'with the code that ranks real boards; the column for Benjamini–Hochberg shows what controlling only the false discovery rate would allow.',
      ),
      boardTable(errors),
      ...planBlocks(errors),
      ...lookBlocks(errors),
      text(
        `Computed under policy version ${errors.record.policyVersion} by npm run simulate, which fails when a goal is missed.`,
      ),
    ],
  }
}

function boardTable({ record }: Errors): Block {
  return {
    kind: 'table',
    caption: 'Simulated boards of eight rows',
    head: [
      'Rows',
      'Tasks × repetitions',
      'All rank sets hold',
      'Some verdict is false',
      'With Benjamini–Hochberg',
      'True differences found',
      'Boards',
    ],
    rows: record.boards.map((one) => [
      one.name,
      size(one),
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
    text(
      `Power at the planner’s own detectable difference, simulated with other random numbers; it should lie between ` +
        `${percentText(goals.power.from)} and ${percentText(goals.power.to)}. In a larger pool a pair is judged more strictly, so the detectable difference grows.`,
    ),
    {
      kind: 'table',
      caption: 'Power of plans',
      head: [
        'Tasks × repetitions',
        'Ranked rows in the pool',
        'Detectable difference',
        'Power',
        'Rounds',
      ],
      rows: record.plans.map((one) => [
        size(one),
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
    text(LOOKS),
    formula('α_{k} = α / (k (k + 1))'),
    text(
      `For a row that was topped up once, p-values are multiplied by ${once}, after a second top-up by ${twice}. Two equal rows ` +
        'are looked at again and again; in the last column some look calls them different, ' +
        `the first look included, which should happen in at most ${percentText(goals.looks)}.`,
    ),
    {
      kind: 'table',
      caption: 'Looks at two equal rows',
      head: [
        'Tasks × repetitions',
        'Looks',
        'How',
        'False with the plain test',
        'False as rows are judged',
        'Rounds',
      ],
      rows: record.looks.map((one) => [
        size(one),
        String(one.looks),
        one.kind === 'watched' ? 'one plan, watched' : `topped up by ${one.step} each time`,
        shareOrNone(one.plain),
        shareOrNone(one.judged),
        String(one.rounds),
      ]),
    },
  ]
}

const LOOKS =
  'The number of episodes is pinned by the plan before the first one. A finished plan is one look, whoever watched it, and a ' +
  'top-up that only replaces void or missing episodes keeps it so. A later plan that adds samples is another look, and every ' +
  'planned episode of an unfinished plan may be one. Such a row says so: its interval and its tests are always-valid. Look k is ' +
  'made at a level of its own; over any number of looks these levels add up to at most α. Within an unfinished plan the level is ' +
  'divided by the number of its planned episodes.'

function size({ tasks, repetitions }: { tasks: number; repetitions: number }): string {
  return `${tasks} × ${repetitions}`
}

/** One decimal, two below one per cent: the rounds allow no more. */
function shareOrNone(value: number | null): string {
  return value === null ? 'unknown' : `${(100 * value).toFixed(value < 0.01 ? 2 : 1)} %`
}
