import type { MethodologyInput } from '../methodology-constants.ts'
import { type Block, formula, percent, type Section, text } from '../methodology-section.ts'

type Errors = MethodologyInput['constants']['errors']

/** Which errors verdicts, rank sets, plans and looks control, and what simulation shows of each. */
export function errorsSection({ constants }: MethodologyInput): Section {
  const { errors, ranking } = constants
  return {
    id: 'errors',
    title: 'Errors that are controlled',
    blocks: [
      text(
        `Controlled is the family-wise error in the strong sense: the probability of even one false “better” or “worse” on ` +
          `a board, or in one comparison, is at most ${percent(ranking.alpha)}, whichever rows are truly equal. Rank sets follow ` +
          `from the same verdicts, so all rank sets of a board hold together with at least ${percent(errors.goals.setsHold)}. Simulated ` +
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
      share(one.setsHold),
      share(one.anyFalse),
      share(one.anyFalseByFdr),
      share(one.found),
      String(one.rounds),
    ]),
  }
}

function planBlocks({ goals, record }: Errors): Block[] {
  return [
    text(
      `Power at the planner’s own detectable difference, simulated with other random numbers; it should lie between ` +
        `${percent(goals.power.from)} and ${percent(goals.power.to)}. In a larger pool a pair is judged more strictly, so the detectable difference grows.`,
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
        share(one.detectable),
        share(one.power),
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
        `the first look included, which should happen in at most ${percent(goals.looks)}.`,
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
        share(one.plain),
        share(one.judged),
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
function share(value: number | null): string {
  return value === null ? 'unknown' : `${(100 * value).toFixed(value < 0.01 ? 2 : 1)} %`
}
