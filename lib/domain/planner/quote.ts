/** An amount nobody has measured yet. Unknown is null, never 0. */
export type Quote = {
  expected: number | null
  /** As if every episode were like those of the cheapest, or of the dearest, task of the past. */
  low: number | null
  high: number | null
  /** What it rests on, or why it is unknown: one sentence. */
  basis: string
  /** The most that the plan's own limits allow; null = no limit is pinned. */
  atMost: number | null
}

/** What one episode took, by its task. */
export type Sample = { taskId: string; amount: number }

/**
 * Scales past amounts to a plan: tasks with a past count with their own mean, others with the mean over tasks. Null
 * when there is no past. `tasks` are the planned ones, each with its number of episodes.
 */
export function scalePast(
  samples: readonly Sample[],
  tasks: readonly { taskId: string; episodes: number }[],
): { expected: number; low: number; high: number } | null {
  const means = meanByTask(samples)
  if (means.size === 0) return null
  const all = [...means.values()]
  const overall = all.reduce((sum, mean) => sum + mean, 0) / all.length
  const episodes = tasks.reduce((sum, task) => sum + task.episodes, 0)
  const expected = tasks.reduce(
    (sum, { taskId, episodes: count }) => sum + count * (means.get(taskId) ?? overall),
    0,
  )
  return { expected, low: episodes * Math.min(...all), high: episodes * Math.max(...all) }
}

function meanByTask(samples: readonly Sample[]): Map<string, number> {
  const sums = new Map<string, { sum: number; count: number }>()
  for (const { taskId, amount } of samples) {
    const task = sums.get(taskId) ?? { sum: 0, count: 0 }
    sums.set(taskId, { sum: task.sum + amount, count: task.count + 1 })
  }
  return new Map([...sums].map(([taskId, { sum, count }]) => [taskId, sum / count]))
}
