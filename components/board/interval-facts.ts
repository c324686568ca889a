import { formatInterval, formatPercent } from '#components/format/number.ts'
import type { BoardRow } from '#lib/domain/board/board-row.ts'
import simulation from '#lib/domain/methodology/simulation.json' with { type: 'json' }
import { FEW_TASKS, FEW_TASKS_NOTE } from '#lib/domain/statistics/row-interval.ts'
import type { TableRow } from './table-row.ts'

/** A row's two intervals, their scope and the variance behind them; older rows may lack some of it. */
export function intervalFacts({ success }: BoardRow): TableRow['facts'] {
  const { low, high, method, theseTasks, variance, tasks, rate } = success
  const few = rate !== null && tasks < FEW_TASKS
  return [
    { name: 'Similar tasks', value: `${formatInterval(low, high)}, ${method}` },
    ...(theseTasks
      ? [
          {
            name: 'These tasks only',
            value: `${formatInterval(theseTasks.low, theseTasks.high)}, for repeated runs of exactly these tasks: ${theseTasks.method}`,
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
  if (!variance) return 'unknown: needs two tasks with repetitions'
  const { within, between } = variance
  return `${within.toFixed(3)} within tasks (between repetitions), ${between.toFixed(3)} between tasks`
}

/** Coverage of the interval in the simulation with the fewest tasks. */
function simulatedFewTasks(): string {
  const { fewTasks } = simulation.coverage
  const least = Math.min(...fewTasks.flatMap(({ coverage }) => coverage))
  const sizes = [...new Set(fewTasks.map(({ tasks, repetitions }) => `${tasks} × ${repetitions}`))]
  return `simulated with ${sizes.join(' and ')} it covered the true value in at least ${formatPercent(least)} % of the rounds, with tasks drawn at random`
}
