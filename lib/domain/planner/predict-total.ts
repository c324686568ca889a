import { groupBy } from '../record/index.ts'
import { CONFIDENCE, tQuantile } from '../statistics/index.ts'

/** Amount used by one episode, with its task. */
export type Sample = { taskId: string; amount: number }

/** Fewer degrees of freedom give intervals that are too wide to read. */
const MIN_FREEDOM = 2

/**
 * Predicts the total of a new run from past amounts: tasks with a past count with their own mean, others with the mean over
 * tasks. The band is a 95 % prediction interval: it contains the chance of the new episodes, that of the old ones, and the
 * spread between tasks where the new tasks have no past. Amounts are positive and skewed, so the band is log-normal. One task
 * of the past has no band. Null = no past episodes. `tasks` are the planned ones, each with its number of episodes.
 */
export function predictTotal(
  samples: readonly Sample[],
  tasks: readonly { taskId: string; episodes: number }[],
): { expected: number; low: number | null; high: number | null } | null {
  const past = describePast(samples)
  if (past === null) return null
  const { known, overall, within, between, freedom } = past
  let [expected, variance, strange] = [0, 0, 0]
  for (const { taskId, episodes } of tasks) {
    const own = known.get(taskId)
    const mean = own?.mean ?? overall
    expected += episodes * mean
    variance += mean ** 2 * within * episodes
    if (own) variance += mean ** 2 * within * (episodes ** 2 / own.count)
    else {
      variance += (overall * episodes) ** 2 * between
      strange += episodes
    }
  }
  if (known.size === 1) return { expected, low: null, high: null }
  if (expected === 0) return { expected, low: 0, high: 0 }
  variance += ((overall * strange) ** 2 * between) / known.size
  const reach = Math.sqrt(Math.log(1 + variance / expected ** 2))
  const factor = Math.exp(tQuantile((1 + CONFIDENCE) / 2, freedom) * reach)
  return { expected, low: expected / factor, high: expected * factor }
}

/** Means of the tasks, and squared coefficients of variation within and between them. */
function describePast(samples: readonly Sample[]) {
  const groups = groupBy(samples, ({ taskId }) => taskId)
  if (groups.size === 0) return null
  const known = new Map<string, { mean: number; count: number }>()
  let [squares, freedom] = [0, 0]
  for (const [taskId, own] of [...groups].sort(([a], [b]) => (a < b ? -1 : 1))) {
    const amounts = own.map(({ amount }) => amount)
    const mean = average(amounts)
    known.set(taskId, { mean, count: amounts.length })
    if (mean === 0) continue
    squares += amounts.reduce((sum, amount) => sum + (amount / mean - 1) ** 2, 0)
    freedom += amounts.length - 1
  }
  const means = [...known.values()].map(({ mean }) => mean)
  const overall = average(means)
  const spread = means.reduce((sum, mean) => sum + (mean - overall) ** 2, 0)
  const between = overall === 0 ? 0 : spread / Math.max(1, means.length - 1) / overall ** 2
  // The spread between tasks replaces that within them where no task was repeated.
  const within = freedom === 0 ? between : squares / freedom
  return {
    known,
    overall,
    within,
    between,
    freedom: Math.max(MIN_FREEDOM, freedom === 0 ? means.length - 1 : freedom),
  }
}

function average(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length
}
