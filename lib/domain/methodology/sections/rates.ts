import { RANKING_METHOD } from '../../board/rank-board.ts'
import { ROW_METHODS } from '../../statistics/row-interval.ts'
import type { MethodologyInput } from '../methodology-constants.ts'
import { formula, percent, type Section, terms, text } from '../methodology-section.ts'

/** A row's rate and its interval. */
export function ratesSection({ constants: { confidence } }: MethodologyInput): Section {
  return {
    id: 'rates',
    title: 'Rates and intervals',
    blocks: [
      text(
        `Every interval is a ${percent(confidence)} interval over tasks. Repetitions of one task are alike, so taking all ` +
          'episodes for independent would promise too much; the simulation below shows by how much.',
      ),
      formula('SE = sd(m_{1} … m_{T}) / √T,   rate ± t_{T−1} · SE, cut at 0 and 1'),
      terms('interval', [
        { key: 'tasks', term: 'Several tasks', text: ROW_METHODS.tasks('T − 1') },
        {
          key: 'equal',
          term: 'Tasks without any spread',
          text: ROW_METHODS.equalTasks('T', 'all solved, all failed or all task means equal'),
        },
        { key: 'one-task', term: 'One task', text: ROW_METHODS.oneTask },
        {
          key: 'unequal',
          term: 'Unequal repetitions',
          text: ROW_METHODS.unequal.replace(/^; /, ''),
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
