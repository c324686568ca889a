import type { BoardRow } from '../../board/board-row.ts'
import { RANKING_METHOD } from '../../board/rank-board.ts'
import { meanPassK, type PassK } from '../../statistics/pass-k.ts'
import {
  type AxisMeasure,
  isStressRow,
  NO_ROWS,
  NO_STRESS_NOTE,
  successColumn,
  unknownValue,
} from '../axis-measure.ts'
import type { AxisValue } from '../axis-report.ts'
import { CONTRADICTION_COLUMNS } from '../browser-value.ts'

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
