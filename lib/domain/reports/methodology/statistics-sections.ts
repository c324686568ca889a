import { RANKING_METHOD } from '../../board/rank-board.ts'
import { costMethod } from '../../statistics/cost-per-success.ts'
import { QUANTILE_METHOD } from '../../statistics/distributions.ts'
import { compareVerdict, mcNemarMethod } from '../../statistics/paired-difference.ts'
import { CURVE_METHODS } from '../../statistics/reliability-curve.ts'
import { FEW_TASKS_NOTE, ROW_METHODS } from '../../statistics/row-interval.ts'
import { SIGN_FLIP_METHODS } from '../../statistics/sign-flip-curve.ts'
import type { MethodologyConstants, MethodologyInput } from './methodology-constants.ts'
import {
  formula,
  type MethodologySection,
  number,
  percentText,
  terms,
  text,
} from './methodology-constants.ts'

/** A row's rate and its interval. */
export function ratesSection({
  constants: { confidence, fewTasks },
}: MethodologyInput): MethodologySection {
  return {
    id: 'rates',
    title: 'Rates and intervals',
    blocks: [
      text(
        `Every interval is a ${percentText(confidence)} interval. Two questions have two answers, and a row shows both. Tasks like these: ` +
          'the tasks are a sample, and the next ones may be harder. This is the interval of the board. These tasks: the same ' +
          'tasks tried again, so that chance lies in the repetitions alone; much narrower, and silent about any other task. A ' +
          'suite made by hand is no random sample, so even the wider one is a careful reading, not a law.',
      ),
      text(
        'Tasks like these: each task mean m_{i} weighs what a random draw gives it, all weights being equally likely, and one ' +
          'more task that nobody has seen is failed for the low end and solved for the high one. The ends are the outer ' +
          'quantiles of that mean (Gaffke). No spread is estimated, so one more success never lowers an end, and tasks ' +
          'that all agree do not look like certainty. For tasks that are always or never solved it is Clopper and Pearson’s ' +
          'exact interval; beyond that its promise is a conjecture, which the simulation below tries.',
      ),
      formula(
        'low: quantile of w_{0} · 0 + w_{1} m_{1} + … + w_{T} m_{T},   w uniform on w_{0} + … + w_{T} = 1',
      ),
      terms('interval', [
        { key: 'tasks', term: 'Tasks like these', text: ROW_METHODS.tasks('T') },
        { key: 'these', term: 'These tasks', text: ROW_METHODS.theseTasks },
        { key: 'one-task', term: 'One task', text: ROW_METHODS.oneTask },
        {
          key: 'unequal',
          term: 'Unequal repetitions',
          text: ROW_METHODS.unequal.replace(/^; /, ''),
        },
        {
          key: 'few-tasks',
          term: `Fewer than ${fewTasks} tasks`,
          text: FEW_TASKS_NOTE,
        },
        {
          key: 'variance',
          term: 'Variance',
          text: 'Within tasks: of one repetition, from the repetitions of each task. Between tasks: of the task means, less what repetitions alone would make them differ.',
        },
      ]),
    ],
  }
}

/** Places, ties and rank intervals. */
export function rankingSection({ constants: { ranking } }: MethodologyInput): MethodologySection {
  const { alpha, seed, resamples, fewestTasks } = ranking
  return {
    id: 'ranking',
    title: 'Ranks, letters and rank sets',
    blocks: [
      text(
        'Only claims are ranked, in pools of their own: plain rows and rows under faults, driven by a model and scripted. ' +
          `The method: ${RANKING_METHOD}.`,
      ),
      terms('rank', [
        {
          key: 'better',
          term: 'Better',
          text:
            'A row is called better than another when the paired test of the two, adjusted by Holm for all pairs of the pool, ' +
            `is significant at ${percentText(alpha)}. The probability of even one false call on a board is at most ${percentText(alpha)} (family-wise ` +
            'error, strong sense).',
        },
        {
          key: 'ties',
          term: 'Letters',
          text:
            'Two rows share a letter exactly when neither is called better. A row can have several letters: B may be tied with ' +
            'A and with C although A is better than C. A place is shared by runs of rows of which no two differ.',
        },
        {
          key: 'interval',
          term: 'Rank set',
          text:
            'The best rank is one behind all rows that are better, the worst one before all rows that are worse. All rank sets ' +
            `of a pool hold together with ${percentText(1 - alpha)} confidence.`,
        },
        {
          key: 'patterns',
          term: 'Random patterns',
          text: `Where the sign patterns of a pair cannot all be counted, ${resamples} random ones are drawn (seed ${seed}).`,
        },
        {
          key: 'few-tasks',
          term: 'Few tasks',
          text: `With fewer than ${fewestTasks} tasks no test of pairs can reach its level, so every rank stays possible. More pairs need more tasks.`,
        },
      ]),
    ],
  }
}

/** Two rows side by side, and in which words the result is told. */
export function comparisonSection({
  constants: { comparison },
}: MethodologyInput): MethodologySection {
  const { alpha, enumeratedTasks, random } = comparison
  return {
    id: 'comparison',
    title: 'Comparing rows',
    blocks: [
      text(
        'Rows are compared over their common tasks, task by task, by an exact test. The interval is of the same kind as a ' +
          'row’s, with an unseen task that only the other row solves, and the test decides on which side of zero it lies: so ' +
          `interval and verdict cannot disagree, and one more success of A never lowers an end. The two-sided level is ${percentText(alpha)}; where several pairs are shown, ` +
          'their p-values are adjusted together (Holm): the probability of even one false verdict among them is at most that level. ' +
          'Each interval is made at the level its pair was judged at.',
      ),
      formula('d_{i} = a_{i} − b_{i},   difference = (d_{1} + … + d_{T}) / T'),
      terms('compare', [
        { key: 'exact', term: 'Several repetitions', text: SIGN_FLIP_METHODS.exact },
        {
          key: 'random',
          term: `Differences without a common step, more than ${enumeratedTasks} tasks`,
          text: SIGN_FLIP_METHODS.random(random),
        },
        {
          key: 'single',
          term: 'One repetition a task',
          text: mcNemarMethod('the', 'T'),
        },
      ]),
      text('The verdict is one of these:'),
      terms('verdict', verdicts(comparison)),
    ],
  }
}

/** Each verdict in the words that the comparison itself would choose. */
function verdicts({ alpha, smallDifference }: MethodologyConstants['comparison']) {
  const speak = (difference: number, half: number, p: number) => {
    const tested = { difference, low: difference - half, high: difference + half, p }
    return compareVerdict(tested, alpha).text
  }
  return [
    {
      key: 'better',
      term: speak(smallDifference, 0, 0),
      text: 'The test is significant and A solves more.',
    },
    {
      key: 'worse',
      term: speak(-smallDifference, 0, 0),
      text: 'The test is significant and A solves less.',
    },
    {
      key: 'no-larger-than',
      term: speak(0, smallDifference, 1),
      text: `Not significant, and the whole interval lies within ${number(100 * smallDifference)} points of no difference; the number is the interval’s far end.`,
    },
    {
      key: 'cannot-tell',
      term: speak(0, 1, 1),
      text: 'Not significant, and the interval reaches farther: the data allow both.',
    },
  ]
}

/** Cost, tokens and time per success. */
export function costSection({ constants: { cost } }: MethodologyInput): MethodologySection {
  return {
    id: 'cost',
    title: 'Cost, tokens and time per success',
    blocks: [
      text(
        'All that the scored episodes spent, failures included, divided by the successes. Tokens and subject time are ' +
          'weighed the same way. One unknown part makes the sum unknown; without a success there is no number.',
      ),
      formula('cost per success = (c_{1} + … + c_{T}) / (s_{1} + … + s_{T})'),
      text(
        `The ${percentText(cost.level)} interval: ${costMethod('T', cost)}; a task’s repetitions stay together. ` +
          'Where some drawings hold no success, the interval has no upper bound.',
      ),
      text(`Times are told as medians and upper ends of solved episodes: ${QUANTILE_METHOD}.`),
    ],
  }
}

/** pass@k and pass^k. */
export function passKSection(): MethodologySection {
  return {
    id: 'pass-k',
    title: 'pass@k and pass^k',
    blocks: [
      text(
        'From c successes in n tries of a task, without bias: the chance that at least one of k tries solves it, and that ' +
          'all of them do. Per task, then the mean over tasks; refused where a task has fewer than k tries.',
      ),
      formula('pass@k = 1 − C(n−c, k) / C(n, k),   pass^{k} = C(c, k) / C(n, k)'),
      text(
        'An open row draws pass^k over k, from one try to as many repetitions as its least-tried task has. The band is made ' +
          'point by point, as the row’s own interval is, so it speaks of one k at a time and of tasks like these. Where it ' +
          'falls steeply, a single success says little about the next try.',
      ),
      terms('pass-k', [
        { key: 'band', term: 'Band', text: CURVE_METHODS.tasks('T') },
        { key: 'one-task', term: 'One task', text: CURVE_METHODS.oneTask },
      ]),
    ],
  }
}

/** What void episodes could change. */
export function voidsSection({ constants: { policy } }: MethodologyInput): MethodologySection {
  return {
    id: 'voids',
    title: 'Void episodes',
    blocks: [
      text(
        'A void episode was broken by the harness, the infrastructure or the provider. It counts for nobody and is shown to ' +
          'everybody. A row’s rate is told three times:',
      ),
      terms('void', [
        { key: 'excluded', term: 'left out', text: 'The rate on the board.' },
        { key: 'failed', term: 'read as failed', text: 'The lowest the rate could have been.' },
        { key: 'solved', term: 'read as solved', text: 'The highest the rate could have been.' },
      ]),
      text(
        `More than ${percentText(policy.thresholds.voidShare)} void, or a verdict against another claim that either reading would ` +
          'change, refuses the row. Void attempts that were repeated count towards that share.',
      ),
    ],
  }
}

/** What the planner takes for granted. */
export function plannerSection({ constants: { planner } }: MethodologyInput): MethodologySection {
  return {
    id: 'planner',
    title: 'Planning a measurement',
    blocks: [
      text(
        `The smallest true difference that a design finds with ${percentText(planner.power)} power, by the test that decides: the sign-flip ` +
          'test of simulated rows, repetition by repetition, or with one repetition a task the exact test, summed. Its level is ' +
          `${percentText(planner.alpha)} for a pair; in a pool of ranked rows it is divided by the number of pairs, the strictest step of Holm. ` +
          'Endless repetitions and the number of tasks needed come from the formula, with t quantiles:',
      ),
      formula('δ = (t_{1−α/2} + t_{power}) · √((w^{2} + s_{A}^{2}/K_{A} + s_{B}^{2}/K_{B}) / T)'),
      text(
        'T tasks, K repetitions; w² is the variance over tasks of the true difference, s² that of one repetition within a ' +
          'task. More tasks narrow everything; more repetitions only the s² parts. Simulated chances follow a probit model with ' +
          'exactly these variances, the two mean rates evenly around one half. The cost band is a bootstrap over the tasks that were run before.',
      ),
      terms('assumed', [
        {
          key: 'w',
          term: `w² = ${number(planner.wSquared)}`,
          text: 'Assumed where no rows are known: success chances spread evenly over tasks, rows partly alike.',
        },
        {
          key: 's',
          term: `s² = ${number(planner.sSquaredA)} and ${number(planner.sSquaredB)}`,
          text: 'Assumed for the two rows where none is known. Known rows give their own variances.',
        },
      ]),
    ],
  }
}
