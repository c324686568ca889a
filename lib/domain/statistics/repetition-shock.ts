import { normalCumulative } from './simulated-power.ts'

/** One round of repetitions: the tasks with a scored attempt, and whether each was solved. */
export type Round = { tasks: readonly string[]; solved: readonly boolean[] }

/** Rounds that differ by more than chance: their number, their lowest and highest rates (0–1), and the p-value. */
export type RoundDifference = { rounds: number; lowest: number; highest: number; p: number }

/**
 * Cochran's Q over rounds of the same tasks: tests whether some rounds solve more than others beyond chance, for
 * example on a bad day of a provider. Rounds with fewer than half the tasks of the largest one are left out. Null =
 * fewer than two rounds, or no task that is solved in some and not in others.
 */
export function compareRounds(all: readonly Round[]): RoundDifference | null {
  const max = Math.max(0, ...all.map(({ tasks }) => tasks.length))
  const rounds = all.filter(({ tasks }) => 2 * tasks.length >= max)
  if (rounds.length < 2) return null
  const counts = new Map<string, { solved: number; scored: number }>()
  for (const { tasks, solved } of rounds)
    tasks.forEach((taskId, at) => {
      const task = counts.get(taskId) ?? { solved: 0, scored: 0 }
      counts.set(taskId, task)
      task.scored++
      if (solved[at]) task.solved++
    })
  let statistic = 0
  const rates: number[] = []
  for (const { tasks, solved } of rounds) {
    let [sum, expected, variance] = [0, 0, 0]
    tasks.forEach((taskId, at) => {
      const task = counts.get(taskId) ?? { solved: 0, scored: 1 }
      const rate = task.solved / task.scored
      sum += solved[at] ? 1 : 0
      expected += rate
      variance += rate * (1 - rate)
    })
    rates.push(sum / tasks.length)
    if (variance > 0) statistic += (sum - expected) ** 2 / variance
  }
  if (statistic === 0) return null
  const freedom = rounds.length - 1
  const p = chiSquareTail((statistic * freedom) / rounds.length, freedom)
  return { rounds: rounds.length, lowest: Math.min(...rates), highest: Math.max(...rates), p }
}

/** Probability that a chi-square of integer degrees of freedom exceeds x, to some 1e-7. */
export function chiSquareTail(x: number, freedom: number): number {
  if (x <= 0) return 1
  const half = x / 2
  const isEven = freedom % 2 === 0
  let [sum, term] = isEven ? [1, 1] : [0, Math.sqrt(half) / (Math.sqrt(Math.PI) / 2)]
  for (let step = isEven ? 1 : 1.5; step < freedom / 2; step++) {
    if (isEven) {
      term *= half / step
      sum += term
    } else {
      sum += term
      term *= half / step
    }
  }
  if (!isEven && freedom > 1) sum += term
  const series = Math.exp(-half) * sum
  return Math.min(1, isEven ? series : 2 * normalCumulative(-Math.sqrt(x)) + series)
}
