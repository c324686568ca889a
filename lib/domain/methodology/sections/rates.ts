import { RANKING_METHOD } from '../../board/rank-board.ts'
import { FEW_TASKS_NOTE, ROW_METHODS } from '../../statistics/row-interval.ts'
import type { MethodologyInput } from '../methodology-constants.ts'
import { formula, percent, type Section, terms, text } from '../methodology-section.ts'

/** A row's rate and its interval. */
export function ratesSection({ constants: { confidence, fewTasks } }: MethodologyInput): Section {
  return {
    id: 'rates',
    title: 'Rates and intervals',
    blocks: [
      text(
        `Every interval is a ${percent(confidence)} interval. Two questions have two answers, and a row shows both. Tasks like these: ` +
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
export function rankingSection({ constants: { ranking } }: MethodologyInput): Section {
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
            `is significant at ${percent(alpha)}. The probability of even one false call on a board is at most ${percent(alpha)} (family-wise ` +
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
            `of a pool hold together with ${percent(1 - alpha)} confidence.`,
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
