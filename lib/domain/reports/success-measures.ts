import type { Board, BoardRow } from '../board/board-row.ts'
import { RANKING_METHOD } from '../board/rank-board.ts'
import { successRate } from '../board/success-rate.ts'
import { meanPassK, type PassK } from '../statistics/reliability-curve.ts'
import {
  type AxisMeasure,
  browserColumn,
  CONTRADICTION_COLUMNS,
  findBaseline,
  isStressRow,
  NO_ROWS,
  NO_STRESS_NOTE,
  rateValue,
  successColumn,
  unknownValue,
} from './axis-measure.ts'
import type { AxisValue } from './axis-report.ts'

const { context: _, ...completionColumn } = successColumn

/** B and G: whole episodes judged by their final contracts. */
export const completionMeasure: AxisMeasure = {
  columns: [
    {
      id: 'rank',
      title: 'Rank',
      unit: 'place',
      role: 'primary',
      meaning: 'Best and worst rank the evidence allows among claims of the same kind.',
      read: rankValue,
    },
    completionColumn,
    {
      id: 'voids',
      title: 'If voids had counted',
      unit: 'share',
      role: 'supporting',
      meaning: 'The same rate with every void episode read as failed, and as solved.',
      read: voidValue,
    },
    {
      id: 'pass-hat-k',
      title: 'Solved every time, pass^k',
      unit: 'share',
      role: 'supporting',
      meaning: 'Chance that all of k tries solve a task; k is the fewest repetitions of the row.',
      read: (row) => passValue(row, ({ passHatK }) => passHatK),
    },
    {
      id: 'pass-at-k',
      title: 'Solved at least once, pass@k',
      unit: 'share',
      role: 'supporting',
      meaning: 'Chance that one of k tries solves a task; k is the fewest repetitions of the row.',
      read: (row) => passValue(row, ({ passAtK }) => passAtK),
    },
    ...CONTRADICTION_COLUMNS,
  ],
  covers: (row) => !isStressRow(row),
  notes: () => [
    NO_STRESS_NOTE,
    'Ranks compare rows driven by a model with each other, and scripted rows with each other.',
  ],
  absent: () => NO_ROWS,
}

function rankValue({ rank, success }: BoardRow): AxisValue {
  if (!rank) return unknownValue('Not ranked: the row is no claim.')
  const { tasks, attempts: episodes } = success
  const { place: value, low, high } = rank
  return { value, low, high, tasks, episodes, method: RANKING_METHOD }
}

function voidValue({ voidSensitivity, success }: BoardRow): AxisValue {
  if (!voidSensitivity) return unknownValue('No episode was scored.')
  const { excluded: value, allFailed, allSolved, voids } = voidSensitivity
  const size = { tasks: success.tasks, episodes: success.attempts + voids }
  if (voids === 0) return { value, low: null, high: null, ...size, method: 'no void episode' }
  const method = `bounds, not an interval: ${voids} void read as failed and as solved`
  return { value, low: allFailed, high: allSolved, ...size, method }
}

function passValue({ tasks }: BoardRow, read: (pass: PassK) => number): AxisValue {
  const scored = tasks.filter((task) => task.scored > 0)
  const k = Math.min(...scored.map((task) => task.scored))
  const pass = meanPassK(scored, scored.length > 0 ? k : 1)
  if (!pass.ok) return unknownValue(pass.refusal.reason)
  return {
    value: read(pass.value),
    low: null,
    high: null,
    tasks: pass.value.tasks,
    episodes: scored.reduce((sum, task) => sum + task.scored, 0),
    method: `unbiased estimate with k = ${k}, mean over tasks; no interval is given`,
  }
}

/** D: the same final contract after a fault that was injected into the episode. */
export const recoveryMeasure: AxisMeasure = {
  columns: [
    {
      id: 'recovery',
      title: 'Recovery',
      unit: 'share',
      role: 'primary',
      meaning:
        'Of the faults that fired, those after which the same final contract passed; mean over tasks.',
      read: recoveryValue,
    },
    {
      id: 'success',
      title: 'Success under faults',
      unit: 'share',
      role: 'primary',
      meaning: 'Mean success over tasks of the episodes with a planned fault.',
      read: (row) => rateValue(row.success),
    },
    {
      id: 'baseline',
      title: 'Success without faults',
      context: true,
      unit: 'share',
      role: 'supporting',
      meaning: 'The row of the same subject and settings without a fault.',
      read: baselineValue,
    },
    {
      id: 'fired',
      title: 'Faults that fired',
      unit: 'share',
      role: 'diagnostic',
      meaning: 'Share of scored episodes in which the planned fault really happened.',
      read: firedValue,
    },
    browserColumn(
      {
        id: 'detect-p50',
        title: 'Time to detect, p50',
        unit: 'ms',
        meaning: 'From the fault’s firing to the library’s first error, where it reported one.',
      },
      ({ detectMs }) => ({ value: detectMs.p50, episodes: detectMs.episodes }),
    ),
    ...CONTRADICTION_COLUMNS,
  ],
  covers: isStressRow,
  notes: ({ rows }) => [
    'Every fault is injected into an episode of a task and judged by that task’s final contract. Faults tried in ' +
      'isolation would be diagnostic; none are recorded here.',
    ...(rows.some(({ browser }) => browser)
      ? [
          'Rungs and time to detect tell how a library gets over a fault; one that never reports an error has no such time.',
        ]
      : []),
  ],
  absent: () => 'No row of this suite was measured under faults.',
}

function recoveryValue({ tasks }: BoardRow): AxisValue {
  const tallies = tasks.flatMap(({ taskId, faults }) =>
    faults && faults.fired > 0 ? [{ taskId, solved: faults.recovered, scored: faults.fired }] : [],
  )
  if (tallies.length === 0) return unknownValue('No planned fault is known to have fired.')
  return rateValue(successRate(tallies))
}

function baselineValue(row: BoardRow, board: Board): AxisValue {
  const plain = findBaseline(row, board)
  return plain
    ? rateValue(plain.success)
    : unknownValue('No row of the same subject and settings without a fault.')
}

function firedValue({ recovery, success }: BoardRow): AxisValue {
  if (!recovery || success.attempts === 0) return unknownValue('No episode was scored.')
  const { tasks, attempts } = success
  const method = `${recovery.fired} of ${attempts} scored episodes; a count, no interval`
  const value = recovery.fired / attempts
  return { value, low: null, high: null, tasks, episodes: attempts, method }
}

/** Tasks of this category work behind a sign-in. */
const LOGGED_IN_CATEGORY = 'logged-in'

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
