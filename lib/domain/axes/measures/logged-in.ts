import type { Board, BoardRow } from '../../board/board-row.ts'
import { successRate } from '../../statistics/success-rate.ts'
import {
  type AxisMeasure,
  isStressRow,
  NO_ROWS,
  NO_STRESS_NOTE,
  rateValue,
  unknownValue,
} from '../axis-measure.ts'
import type { AxisValue } from '../axis-report.ts'

/** Tasks of this category work behind a sign-in. */
export const LOGGED_IN_CATEGORY = 'logged-in'

/** E: success over the tasks that work behind a sign-in. */
export const loggedInMeasure: AxisMeasure = {
  columns: [
    {
      id: 'logged-in-success',
      title: 'Success, logged-in tasks',
      unit: 'share',
      role: 'primary',
      meaning: `Mean success over the tasks of category ${LOGGED_IN_CATEGORY}, with its interval.`,
      read: loggedInValue,
    },
    {
      id: 'success',
      title: 'Success, all tasks',
      context: true,
      unit: 'share',
      role: 'supporting',
      meaning: 'Mean success over all tasks of the suite, with its interval.',
      read: (row) => rateValue(row.success),
    },
  ],
  covers: (row, board) => !isStressRow(row) && loggedInTasks(board).size > 0,
  notes: ({ thresholds }) => [
    `A rate over logged-in tasks needs ${thresholds.aggregateEpisodes} scored episodes and one of every such task, ` +
      'as any aggregate; below that it is withheld.',
    NO_STRESS_NOTE,
  ],
  absent: (board) =>
    loggedInTasks(board).size === 0
      ? `No task of this suite is of category ${LOGGED_IN_CATEGORY}.`
      : NO_ROWS,
}

function loggedInTasks({ suite }: Board): Set<string> {
  const tasks = suite.tasks.filter(({ category }) => category === LOGGED_IN_CATEGORY)
  return new Set(tasks.map(({ taskId }) => taskId))
}

function loggedInValue(row: BoardRow, board: Board): AxisValue {
  const wanted = loggedInTasks(board)
  const tallies = row.tasks.filter(({ taskId }) => wanted.has(taskId))
  const episodes = tallies.reduce((sum, { scored }) => sum + scored, 0)
  const missing = wanted.size - tallies.filter(({ scored }) => scored > 0).length
  const needed = board.thresholds.aggregateEpisodes
  if (episodes < needed) {
    return unknownValue(
      `Withheld: ${episodes} of the ${needed} scored episodes an aggregate needs.`,
    )
  }
  if (missing > 0) {
    return unknownValue(
      `Withheld: ${missing} of ${wanted.size} logged-in tasks have no scored episode.`,
    )
  }
  return rateValue(successRate(tallies))
}
