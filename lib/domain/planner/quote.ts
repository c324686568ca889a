import { COST_OPTIONS } from '../statistics/cost-per-success.ts'
import { drawTasks } from '../statistics/draw-tasks.ts'
import { nearestRank } from '../statistics/quantile.ts'
import { seededGenerator } from '../statistics/seeded-generator.ts'

/** An estimated amount. Unknown is null, never 0. */
export type Quote = {
  expected: number | null
  /** 95 % interval; see `basis`. */
  low: number | null
  high: number | null
  /** The basis of the estimate, or why it is unknown: one sentence. */
  basis: string
  /** The most that the plan's own limits allow; null = no limit is pinned. */
  atMost: number | null
}

/** What one episode took, by its task. */
export type Sample = { taskId: string; amount: number }

/**
 * Scales past amounts to a plan: tasks with a past count with their own mean, others with the mean over tasks. The band
 * is a seeded 95 % bootstrap over the tasks of the past, whose episodes stay together. Null when there is no past.
 * `tasks` are the planned ones, each with its number of episodes.
 */
export function scalePast(
  samples: readonly Sample[],
  tasks: readonly { taskId: string; episodes: number }[],
): { expected: number; low: number; high: number } | null {
  const means = meanByTask(samples)
  if (means.size === 0) return null
  const all = [...means].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, mean]) => mean)
  const overall = all.reduce((sum, mean) => sum + mean, 0) / all.length
  const expected = tasks.reduce(
    (sum, { taskId, episodes }) => sum + episodes * (means.get(taskId) ?? overall),
    0,
  )
  if (overall === 0) return { expected, low: expected, high: expected }
  const { seed, resamples, level } = COST_OPTIONS
  const generator = seededGenerator(seed)
  const drawn = new Uint32Array(all.length)
  const scales = Array.from({ length: resamples }, () => {
    const places = drawTasks(all.length, generator, drawn)
    return places.reduce((sum, place) => sum + (all[place] as number), 0) / all.length / overall
  })
  const low = expected * nearestRank(scales, (1 - level) / 2)
  return { expected, low, high: expected * nearestRank(scales, (1 + level) / 2) }
}

function meanByTask(samples: readonly Sample[]): Map<string, number> {
  const sums = new Map<string, { sum: number; count: number }>()
  for (const { taskId, amount } of samples) {
    const task = sums.get(taskId) ?? { sum: 0, count: 0 }
    sums.set(taskId, { sum: task.sum + amount, count: task.count + 1 })
  }
  return new Map([...sums].map(([taskId, { sum, count }]) => [taskId, sum / count]))
}
