import { formatInterval, formatPercent } from '#components/format/number.ts'
import type { BoardRow } from '#lib/domain/board/board-row.ts'
import simulation from '#lib/domain/methodology/simulation.json' with { type: 'json' }
import { FEW_TASKS, FEW_TASKS_NOTE } from '#lib/domain/statistics/row-interval.ts'
import type { TableRow } from './table-row.ts'

/** A row's two intervals, what they speak of, and where the spread comes from; absent what older rows do not hold. */
export function intervalFacts({ success }: BoardRow): TableRow['facts'] {
  const { low, high, method, theseTasks, variance, tasks, rate } = success
  const few = rate !== null && tasks < FEW_TASKS
  return [
    { name: 'Tasks like these', value: `${formatInterval(low, high)}, ${method}` },
    ...(theseTasks
      ? [
          {
            name: 'These tasks',
            value: `${formatInterval(theseTasks.low, theseTasks.high)}, if just these were tried again: ${theseTasks.method}`,
          },
        ]
      : []),
    ...(variance === undefined ? [] : [{ name: 'Variance', value: sayVariance(variance) }]),
    ...(few
      ? [
          {
            name: 'Few tasks',
            value: tasks > 1 ? `${FEW_TASKS_NOTE}; ${simulatedFewTasks()}` : FEW_TASKS_NOTE,
          },
        ]
      : []),
  ]
}

function sayVariance(variance: NonNullable<BoardRow['success']['variance']> | null): string {
  if (!variance) return 'not known: needs two tasks and repetitions of them'
  const { within, between } = variance
  return `${within.toFixed(3)} within tasks (a repetition), ${between.toFixed(3)} between tasks`
}

/** What the interval held in the simulation with the fewest tasks. */
function simulatedFewTasks(): string {
  const { fewTasks } = simulation.coverage
  const least = Math.min(...fewTasks.flatMap(({ coverage }) => coverage))
  const sizes = [...new Set(fewTasks.map(({ tasks, repetitions }) => `${tasks} × ${repetitions}`))]
  return `simulated with ${sizes.join(' and ')} it held the truth in at least ${formatPercent(least)} % of the rounds, for tasks drawn at random`
}
