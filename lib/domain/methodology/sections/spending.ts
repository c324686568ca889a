import { costMethod } from '../../statistics/cost-per-success.ts'
import { QUANTILE_METHOD } from '../../statistics/quantile.ts'
import { CURVE_METHODS } from '../../statistics/reliability-curve.ts'
import type { MethodologyInput } from '../methodology-constants.ts'
import { formula, number, percent, type Section, terms, text } from '../methodology-section.ts'

/** Cost, tokens and time per success. */
export function costSection({ constants: { cost } }: MethodologyInput): Section {
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
        `The ${percent(cost.level)} interval: ${costMethod('T', cost)}; a task’s repetitions stay together. ` +
          'Where some drawings hold no success, the interval has no upper bound.',
      ),
      text(`Times are told as medians and upper ends of solved episodes: ${QUANTILE_METHOD}.`),
    ],
  }
}

/** pass@k and pass^k. */
export function passKSection(): Section {
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
export function voidsSection({ constants: { policy } }: MethodologyInput): Section {
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
        `More than ${percent(policy.thresholds.voidShare)} void, or a verdict against another claim that either reading would ` +
          'change, refuses the row. Void attempts that were repeated count towards that share.',
      ),
    ],
  }
}

/** What the planner takes for granted. */
export function plannerSection({ constants: { planner } }: MethodologyInput): Section {
  return {
    id: 'planner',
    title: 'Planning a measurement',
    blocks: [
      text(
        `The smallest true difference that a design finds with ${percent(planner.power)} power, by the test that decides: the sign-flip ` +
          'test of simulated rows, repetition by repetition, or with one repetition a task the exact test, summed. Its level is ' +
          `${percent(planner.alpha)} for a pair; in a pool of ranked rows it is divided by the number of pairs, the strictest step of Holm. ` +
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
