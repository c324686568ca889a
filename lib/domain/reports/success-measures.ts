import { type Board, type BoardRow, RANKING_METHOD, successRate } from '../board/index.ts'
import { meanPassK, type PassK } from '../statistics/index.ts'
import { countOf, present } from '../text/index.ts'
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

/** B and G: complete episodes judged by their success criteria. */
export const completionMeasure: AxisMeasure = {
  columns: [
    {
      id: 'rank',
      title: 'Rank',
      unit: 'place',
      role: 'primary',
      meaning: 'Range of ranks among ranked entries of the same kind.',
      read: rankValue,
    },
    completionColumn,
    {
      id: 'success-with-excluded',
      title: 'With excluded episodes',
      unit: 'share',
      role: 'supporting',
      meaning: 'The rate if all excluded episodes counted as failed or as solved.',
      read: voidValue,
    },
    {
      id: 'pass-hat-k',
      title: 'Solved every time, pass^k',
      unit: 'share',
      role: 'supporting',
      meaning:
        'Probability that all of k attempts solve a task; k is the lowest number of repetitions.',
      read: everyTimeValue,
    },
    {
      id: 'pass-at-k',
      title: 'Solved at least once, pass@k',
      unit: 'share',
      role: 'supporting',
      meaning:
        'Probability that at least one of k attempts solves a task; k is the lowest number of repetitions.',
      read: (row) => passValue(row, ({ passAtK }) => passAtK),
    },
    ...CONTRADICTION_COLUMNS,
  ],
  covers: (row) => !isStressRow(row),
  notes: () => [NO_STRESS_NOTE, 'Model-driven entries and scripted entries are ranked separately.'],
  absent: () => NO_ROWS,
}

function rankValue({ rank, success }: BoardRow): AxisValue {
  if (!rank) return unknownValue('This entry is not ranked.')
  const { tasks, attempts: episodes } = success
  const { place: value, low, high } = rank
  return { value, low, high, tasks, episodes, method: RANKING_METHOD }
}

function voidValue({ voidSensitivity, success }: BoardRow): AxisValue {
  if (!voidSensitivity) return unknownValue('No scored episodes.')
  const { excluded: value, allFailed, allSolved, voids } = voidSensitivity
  const size = { tasks: success.tasks, episodes: success.attempts + voids }
  if (voids === 0) return { value, low: null, high: null, ...size, method: 'no excluded episodes' }
  const method = `bounds, not a confidence interval: ${voids} excluded, counted as failed and as solved`
  return { value, low: allFailed, high: allSolved, ...size, method }
}

/** The last point of the entry's curve, with its interval; rows stored without a curve have none. */
function everyTimeValue(row: BoardRow): AxisValue {
  const value = passValue(row, ({ passHatK }) => passHatK)
  const last = row.reliability?.points.at(-1)
  if (!row.reliability || !last || value.value === null) return value
  const { low, high } = last
  return { ...value, low, high, method: `k = ${last.k}: ${row.reliability.method}` }
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
    method: `unbiased estimate with k = ${k}, mean over tasks; no interval`,
  }
}

/** D: the same success criteria after an injected fault. */
export const recoveryMeasure: AxisMeasure = {
  columns: [
    {
      id: 'recovery',
      title: 'Recovery',
      unit: 'share',
      role: 'primary',
      meaning:
        'Share of injected faults after which the success criteria were still met; mean over tasks.',
      read: recoveryValue,
    },
    {
      id: 'success',
      title: 'Success with faults',
      unit: 'share',
      role: 'primary',
      meaning: 'Mean success rate over tasks of episodes with a planned fault.',
      read: (row) => rateValue(row.success),
    },
    {
      id: 'baseline',
      title: 'Success without faults',
      context: true,
      unit: 'share',
      role: 'supporting',
      meaning: 'Success rate of the same agent or library with the same settings without faults.',
      read: baselineValue,
    },
    {
      id: 'fired',
      title: 'Injected faults',
      unit: 'share',
      role: 'diagnostic',
      meaning: 'Share of scored episodes in which the planned fault occurred.',
      read: firedValue,
    },
    browserColumn(
      {
        id: 'detect-p50',
        title: 'Time to detect, p50',
        unit: 'ms',
        meaning: 'Time from the fault to the first error that the library reported.',
      },
      ({ detectMs }) => ({ value: detectMs.p50, episodes: detectMs.episodes }),
    ),
    ...CONTRADICTION_COLUMNS,
  ],
  covers: isStressRow,
  notes: ({ rows }) =>
    present([
      'Faults are injected into regular episodes, which are judged by the success criteria of their task. There are no ' +
        'isolated fault tests; they would be diagnostic.',
      rows.some(({ browser }) => browser) &&
        'Recovery levels and time to detect show how a library recovers. There is no time to detect if it reports no error.',
    ]),
  absent: () => 'No entry of this suite was measured with injected faults.',
}

function recoveryValue({ tasks, looks }: BoardRow): AxisValue {
  const tallies = tasks.flatMap(({ taskId, faults }) =>
    faults && faults.fired > 0 ? [{ taskId, solved: faults.recovered, scored: faults.fired }] : [],
  )
  if (tallies.length === 0) return unknownValue('No planned fault occurred.')
  return rateValue(successRate(tallies, looks?.confidence))
}

function baselineValue(row: BoardRow, board: Board): AxisValue {
  const plain = findBaseline(row, board)
  return plain
    ? rateValue(plain.success)
    : unknownValue('No entry of the same agent or library and settings without faults.')
}

function firedValue({ recovery, success }: BoardRow): AxisValue {
  if (!recovery || success.attempts === 0) return unknownValue('No scored episodes.')
  const { tasks, attempts } = success
  const method = `${recovery.fired} of ${countOf(attempts, 'scored episode')}; count, no interval`
  const value = recovery.fired / attempts
  return { value, low: null, high: null, tasks, episodes: attempts, method }
}

/** Tasks of this category need a sign-in. */
const LOGGED_IN_CATEGORY = 'logged-in'

/** E: success rate over tasks that need a sign-in. */
export const loggedInMeasure: AxisMeasure = {
  columns: [
    {
      id: 'logged-in-success',
      title: 'Success, logged-in tasks',
      unit: 'share',
      role: 'primary',
      meaning: `Mean success rate over tasks of category ${LOGGED_IN_CATEGORY} with confidence interval.`,
      read: loggedInValue,
    },
    {
      id: 'success',
      title: 'Success, all tasks',
      context: true,
      unit: 'share',
      role: 'supporting',
      meaning: 'Mean success rate over all tasks of the suite with confidence interval.',
      read: (row) => rateValue(row.success),
    },
  ],
  covers: (row, board) => !isStressRow(row) && loggedInTasks(board).size > 0,
  notes: ({ thresholds }) => [
    `A rate over logged-in tasks needs at least ${countOf(thresholds.aggregateEpisodes, 'scored episode')} and one of every logged-in ` +
      'task; otherwise it is withheld.',
    NO_STRESS_NOTE,
  ],
  absent: (board) =>
    loggedInTasks(board).size === 0
      ? `This suite has no tasks of category ${LOGGED_IN_CATEGORY}.`
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
    return unknownValue(`Withheld: ${episodes} of ${countOf(needed, 'required scored episode')}.`)
  }
  if (missing > 0) {
    return unknownValue(
      `Withheld: ${missing} of ${countOf(wanted.size, 'logged-in task has', 'logged-in tasks have')} no scored episode.`,
    )
  }
  return rateValue(successRate(tallies, row.looks?.confidence))
}
