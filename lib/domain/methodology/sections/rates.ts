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
    title: 'Ranks, ties and rank intervals',
    blocks: [
      text(
        'Only claims are ranked, in pools of their own: plain rows and rows under faults, driven by a model and scripted. ' +
          `The method: ${RANKING_METHOD}.`,
      ),
      terms('rank', [
        {
          key: 'ties',
          term: 'Ties',
          text:
            'Rows of one tie group cannot be told apart from its first row, and share its place. All pairs are tested and ' +
            `adjusted together at ${percent(alpha)}.`,
        },
        {
          key: 'interval',
          term: 'Rank interval',
          text:
            `The ranks from ${percent(alpha / 2)} to ${percent(1 - alpha / 2)} of ${resamples} drawings of the tasks (seed ${seed}), ` +
            'the same drawn tasks for all rows.',
        },
        {
          key: 'few-tasks',
          term: 'Few tasks',
          text: `With fewer than ${fewestTasks} tasks no test of pairs can reach its level, so every rank stays possible.`,
        },
      ]),
    ],
  }
}
