import type { Board, BoardRow } from '../../board/board-row.ts'
import { successRate } from '../../statistics/success-rate.ts'
import { type AxisMeasure, isStressRow, rateValue, unknownValue } from '../axis-measure.ts'
import type { AxisValue } from '../axis-report.ts'
import { browserColumn, CONTRADICTION_COLUMNS } from '../browser-value.ts'
import { findBaseline } from '../find-baseline.ts'

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
