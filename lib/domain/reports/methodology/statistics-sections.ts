import { RANKING_METHOD } from '../../board/index.ts'
import {
  CURVE_METHODS,
  costMethod,
  FEW_TASKS_NOTE,
  QUANTILE_METHOD,
  ROW_METHODS,
} from '../../statistics/index.ts'
import type { MethodologyInput } from './methodology-constants.ts'
import {
  formula,
  type MethodologySection,
  number,
  paragraph,
  percentText,
  terms,
} from './methodology-constants.ts'

/** A row's rate and its interval. */
export function ratesSection({
  constants: { confidence, fewTasks },
}: MethodologyInput): MethodologySection {
  return {
    id: 'rates',
    title: 'Rates and intervals',
    blocks: [
      paragraph(
        `All intervals are ${percentText(confidence)} confidence intervals. An entry has two. Similar tasks: the tasks are a sample, ` +
          'and other tasks can be harder. The board shows this interval. These tasks only: the same tasks are repeated, so ' +
          'only the repetitions are random. This interval is much narrower and says nothing about other tasks. A hand-made ' +
          'suite is not a random sample, so even the wider interval is an approximation.',
      ),
      paragraph(
        'Similar tasks: each task mean m gets a random weight, with all weights equally likely, and one additional unseen ' +
          'task counts as failed for the lower bound and as solved for the upper bound. The bounds are the outer quantiles of ' +
          'that mean (Gaffke). No variance is estimated, so an additional success never lowers a bound, and identical task ' +
          'means do not give a zero-width interval. For tasks that are always or never solved it equals the exact ' +
          'Clopper–Pearson interval; otherwise its coverage is conjectured and tested by the simulation below.',
      ),
      formula(
        'low: quantile of w_{0} · 0 + w_{1} m_{1} + … + w_{T} m_{T},   w uniform on w_{0} + … + w_{T} = 1',
      ),
      terms('interval', [
        {
          key: 'tasks',
          term: 'Similar tasks',
          text: `${ROW_METHODS.tasks('T tasks')}; never narrower than for these tasks only`,
        },
        {
          key: 'these',
          term: 'These tasks only',
          text: `${ROW_METHODS.theseTasks}: on each side the narrower of the score interval below and of Clopper–Pearson for r·T·n successes of T·n`,
        },
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
          text: 'Within tasks: variance of one repetition, estimated from the repetitions of each task. Between tasks: variance of the task means minus the part caused by repetitions, at least zero.',
        },
      ]),
      formula(
        's_{i} of n_{i}: solved of scored repetitions of task i,   m_{i} = s_{i} / n_{i},   n = min n_{i},   r = mean of m_{i},   z: normal quantile of the level',
      ),
      formula(
        'these tasks: r ± (z²/2 + z √(V + z²/4)) / (T n),   V = Σ (n/n_{i})² v_{i},   v_{i} = s_{i} (n_{i} − s_{i}) / (n_{i} − 1), or 1/4 for n_{i} = 1',
      ),
      formula(
        'within = mean of v_{i} / n_{i} over tasks with n_{i} > 1,   between = Σ (m_{i} − r)² / (T − 1) − within · mean of 1/n_{i}',
      ),
    ],
  }
}

/** Ranks, ties and rank ranges. */
export function rankingSection({ constants: { ranking } }: MethodologyInput): MethodologySection {
  const { alpha, fewestTasks } = ranking
  return {
    id: 'ranking',
    title: 'Ranks, letters and rank ranges',
    blocks: [
      paragraph(
        'Entries are ranked in separate pools: with and without injected faults, model-driven and scripted. ' +
          `Method: ${RANKING_METHOD}.`,
      ),
      terms('rank', [
        {
          key: 'better',
          term: 'Better',
          text:
            'An entry is better than another if their paired test, Holm-adjusted for all pairs of the pool, is significant ' +
            `at ${percentText(alpha)}. The probability of any false verdict on a board is at most ${percentText(alpha)} (strong family-wise ` +
            'error control).',
        },
        {
          key: 'ties',
          term: 'Letters',
          text:
            'Two entries share a letter exactly if neither is better. An entry can have several letters: B can be tied with A ' +
            'and with C although A is better than C. A place is shared by consecutive entries without significant differences. ' +
            'Where an entry has more than six letters, the board shows how many entries each one ties with.',
        },
        {
          key: 'interval',
          term: 'Rank range',
          text:
            'The best rank is one below all better entries, the worst rank one above all worse entries. All rank ranges of a ' +
            `pool are correct simultaneously with ${percentText(1 - alpha)} confidence.`,
        },
        {
          key: 'patterns',
          term: 'Sign patterns',
          text:
            'All sign patterns of a pair are counted, on boards and in comparisons alike. Where the repetitions are so uneven that its ' +
            'differences have no common step, they are rounded to a fine grid, alike for either sign.',
        },
        {
          key: 'few-tasks',
          term: 'Few tasks',
          text: `With fewer than ${fewestTasks} tasks no paired test can be significant, so every rank remains possible. More pairs need more tasks.`,
        },
      ]),
    ],
  }
}

/** Cost, tokens and time per success. */
export function costSection({ constants: { cost } }: MethodologyInput): MethodologySection {
  return {
    id: 'cost',
    title: 'Cost, tokens and time per success',
    blocks: [
      paragraph(
        'Total cost of the scored episodes, failures included, divided by the number of successes. Tokens and time are ' +
          'calculated the same way. If a part is unknown, the result is unknown; without successes there is no result.',
      ),
      formula('cost per success = (c_{1} + … + c_{T}) / (s_{1} + … + s_{T})'),
      paragraph(
        `${percentText(cost.level)} confidence interval: ${costMethod('T tasks', cost)}; repetitions of a task stay together. ` +
          'The bounds are nearest ranks. If the upper bound is a resample without a success, the interval has no upper bound.',
      ),
      paragraph('Resamples draw tasks in the order of their ids, by this generator:'),
      formula(
        'sfc32: a = seed mod 2^{32}, b = ⌊seed / 2^{32}⌋, c = 9e3779b9_{16}, counter = 1, 20 values dropped;   position = value mod T, values from 2^{32} − (2^{32} mod T) on dropped',
      ),
      paragraph(`Times are medians and upper percentiles of solved episodes: ${QUANTILE_METHOD}.`),
    ],
  }
}

/** pass@k and pass^k. */
export function passKSection(): MethodologySection {
  return {
    id: 'pass-k',
    title: 'pass@k and pass^k',
    blocks: [
      paragraph(
        'Unbiased estimates from c successes in n attempts of a task: the probability that at least one of k attempts, or ' +
          'all of them, succeed. Calculated per task, then averaged; not available if a task has fewer than k attempts.',
      ),
      formula('pass@k = 1 − C(n−c, k) / C(n, k),   pass^{k} = C(c, k) / C(n, k)'),
      paragraph(
        'The details of an entry show pass^k for k from one to the lowest number of repetitions of a task, evenly spaced values if there ' +
          'are many. The band is pointwise, with the same method as the entry’s interval, and applies to similar tasks. If pass^k falls steeply, a ' +
          'single success says little about the next attempt.',
      ),
      terms('pass-k', [
        { key: 'band', term: 'Band', text: CURVE_METHODS.tasks('T tasks') },
        { key: 'one-task', term: 'One task', text: CURVE_METHODS.oneTask },
      ]),
    ],
  }
}

/** The possible effect of excluded episodes. */
export function voidsSection({ constants: { policy } }: MethodologyInput): MethodologySection {
  return {
    id: 'voids',
    title: 'Excluded episodes',
    blocks: [
      paragraph(
        'An episode is excluded from scoring (status void) if it failed because of the harness, the infrastructure or the ' +
          'provider. It remains visible. The success rate of an entry is calculated in three ways:',
      ),
      terms('void', [
        { key: 'excluded', term: 'excluded', text: 'The rate on the board.' },
        { key: 'failed', term: 'counted as failed', text: 'The lowest possible rate.' },
        { key: 'solved', term: 'counted as solved', text: 'The highest possible rate.' },
      ]),
      paragraph(
        `An entry is unranked if more than ${percentText(policy.thresholds.voidShare)} are excluded; attempts that were retried count towards that share. ` +
          'In every verdict the excluded attempts of both entries are read against it: an entry is better than another only if it still ' +
          'is with its own counted as failed and the other’s as solved. So no outcome that they could have had would undo a verdict, ' +
          'and leaving out failures gains none. The interval of a difference contains both extremes.',
      ),
    ],
  }
}

/** Methods and assumptions of the planner. */
export function plannerSection({ constants: { planner } }: MethodologyInput): MethodologySection {
  return {
    id: 'planner',
    title: 'Power analysis',
    blocks: [
      paragraph(
        `The planner finds the smallest true difference that a plan detects with ${percentText(planner.power)} power. It uses the test of ` +
          'the board: the sign-flip test on simulated entries, or the exact test for one repetition per task. The level is ' +
          `${percentText(planner.alpha)} for a pair; in a pool of ranked entries it is divided by the number of pairs, the strictest step of Holm. ` +
          'The limit for unlimited repetitions and the number of tasks needed come from this formula with t quantiles:',
      ),
      formula('δ = (t_{1−α/2} + t_{power}) · √((w^{2} + s_{A}^{2}/K_{A} + s_{B}^{2}/K_{B}) / T)'),
      paragraph(
        'T tasks, K repetitions; w² is the variance of the true difference over tasks, s² the variance of one repetition ' +
          'within a task. More tasks reduce all terms; more repetitions reduce only s². Simulated probabilities follow a probit ' +
          'model with these variances and mean rates symmetric around one half. The cost range is a bootstrap over tasks that were run before.',
      ),
      terms('assumed', [
        {
          key: 'w',
          term: `w² = ${number(planner.wSquared)}`,
          text: 'Assumed without known entries: success probabilities are uniform over tasks, and entries are partly correlated.',
        },
        {
          key: 's',
          term: `s² = ${number(planner.sSquaredA)} and ${number(planner.sSquaredB)}`,
          text: 'Assumed for entries without known variance. Known entries provide their own variances.',
        },
      ]),
    ],
  }
}
